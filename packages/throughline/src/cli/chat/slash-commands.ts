/** The slash commands of a chat. */
import { nearest } from '../../domain/text.ts'
import type { Arguments } from '../command.ts'
import { commandForms } from '../commands-data.ts'
import { UsageError } from '../exit-result.ts'
import { type OpenEngine, withEngine } from '../open-engine.ts'
import { parseArguments } from '../parse-arguments.ts'
import { findProvider } from '../provider.ts'
import { wrap } from '../screen/cells.ts'
import { labelled } from '../screen/labelled.ts'
import { grouped } from '../screen/numbers.ts'
import { styleOf } from '../screen/style.ts'
import { writeOutcome } from '../screen/write-outcome.ts'
import { readSettings } from '../settings/read-settings.ts'
import {
  type CliSettings,
  policyName,
  settingFields,
  settingNames,
} from '../settings/setting-fields.ts'
import { userFile, writeSetting } from '../settings/setting-files.ts'
import { type ChatSession, providerFor } from './chat-session.ts'
import { conversationCommands } from './conversation-commands.ts'
import { entryHelp, noSummarizer, slashForms } from './slash-commands-data.ts'

/** `retry`: answer the last message. Settings: continue the chat with these. */
export type SlashOutcome = 'done' | 'retry' | 'quit' | CliSettings

type RunSlash = (session: ChatSession, words: readonly string[]) => Promise<SlashOutcome>

const runs: Readonly<Record<keyof typeof slashForms, RunSlash>> = {
  status: async (session, words) => {
    await write(session, await compactionLines(session))
    if ((await session.chat.info()) === null) return 'done'
    await write(session, [''])
    return runOnChat('status')(session, words)
  },
  context: runOnChat('context', (words) => (words.length === 0 ? ['--figures'] : words)),
  compact: runOnChat('compact', (words) =>
    words.length === 0 || words[0]?.startsWith('--') ? words : ['--instructions', words.join(' ')],
  ),
  resummarize: (session, words) => {
    if (session.settings.summarizer === null) throw new UsageError(noSummarizer)
    return runOnChat('compact', () => ['--afresh'])(session, words)
  },
  receipt: runOnChat('receipt'),
  undo: runOnChat('undo'),
  recall: runOnChat('recall', asPositionals),
  expand: runOnChat('expand', asPositionals),
  pin: runOnChat('pin', asPositionals),
  unpin: runOnChat('unpin', asPositionals),
  'rolling-context': rollingContext,
  model: changeModel,
  retry: async () => 'retry',
  help,
  quit: async () => 'quit',
}

const slashNames = Object.keys(runs).map((name) => `/${name}`)

/** Null for a message: `/etc/hosts` is not a command, nor is text after `//`. */
export function slashIn(entry: string): ((session: ChatSession) => Promise<SlashOutcome>) | null {
  const match = /^\/([a-z][a-z-]*)(?:\s+(.*))?$/s.exec(entry.trim())
  if (match === null) return null
  const [, name = '', rest = ''] = match
  return async (session) => {
    if (!isSlash(name)) {
      const similar = nearest(`/${name}`, slashNames)
      const hint = similar === null ? '/help lists them' : `did you mean ${similar}?`
      throw new UsageError(`unknown command /${name}; ${hint} (to send it as text: //${name})`)
    }
    const words = rest.split(/\s+/).filter((word) => word !== '')
    return runs[name](session, words)
  }
}

function isSlash(name: string): name is keyof typeof runs {
  return Object.hasOwn(runs, name)
}

export function completeSlash(beginning: string): readonly string[] {
  return beginning.startsWith('/') ? slashNames.filter((name) => name.startsWith(beginning)) : []
}

/** Runs a command of the command line on the chat's conversation, with the chat's settings. */
function runOnChat(
  name: keyof typeof conversationCommands,
  wordsOf: (words: readonly string[]) => readonly string[] = (words) => words,
): RunSlash {
  return async (session, words) => {
    const world = { ...session.world, isChat: true }
    if ((await session.chat.info()) === null)
      throw new UsageError('the conversation has no messages yet')
    const run = await conversationCommands[name]()
    const typed = parseArguments(name, commandForms[name], wordsOf(words), world)
    const args = argumentsFor(session, typed)
    const { problem } = await writeOutcome(args, world, await run(args, world))
    if (problem !== null) throw new UsageError(problem.message)
    return 'done'
  }
}

function asPositionals(words: readonly string[]): readonly string[] {
  return words.length === 0 ? [] : ['--', ...words]
}

/** Adds the conversation as the first word; the chat's settings are the defaults. */
function argumentsFor({ chat, settings, system }: ChatSession, typed: Arguments): Arguments {
  const texts = new Map(
    settingNames.map((name) => {
      // Null overrides a value from a file or the environment.
      const value = settings[name] ?? 'none'
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      return [settingFields[name].flag as string, text]
    }),
  )
  // The prompt is already text: a leading @ does not name a file here.
  if (system !== null) texts.set('system', system.startsWith('@') ? ` ${system}` : system)
  return {
    ...typed,
    positionals: [chat.id, ...typed.positionals],
    has: (option) => option !== 'last' && typed.has(option),
    text: (option) => typed.text(option) ?? texts.get(option) ?? null,
  }
}

async function rollingContext(
  session: ChatSession,
  [word]: readonly string[],
): Promise<SlashOutcome> {
  const wanted = wantedMode(word, (await modeOf(session)) === 'off')
  if (wanted === null) {
    await write(session, await compactionLines(session))
    return 'done'
  }
  const settings = await switchCompaction(session, wanted)
  const other = overruledBy(session)
  const note =
    other === null ? [] : [`  For this chat only: in later chats ${other} overrides your file.`]
  await write(session, [...(await compactionLines({ ...session, settings })), ...note])
  return settings
}

function wantedMode(word: string | undefined, isOff: boolean): 'on' | 'off' | null {
  if (word === undefined) return isOff ? 'on' : 'off'
  if (word === 'status') return null
  if (word === 'on' || word === 'enable') return 'on'
  if (word === 'off' || word === 'disable') return 'off'
  throw new UsageError(`invalid value "${word}"; use /rolling-context on, off or status`)
}

type Mode = CliSettings['compaction']

/** Saved in the user's own file. */
async function switchCompaction(session: ChatSession, compaction: Mode): Promise<CliSettings> {
  const { chat, settings, world } = session
  const own = { file: userFile(world), kind: 'user' } as const
  writeSetting(own, { name: 'compaction', value: compaction }, world)
  // A mode of this conversation would override it.
  await chat.update({ compaction: null })
  return { ...settings, compaction }
}

async function modeOf({ chat, settings }: ChatSession): Promise<Mode> {
  return (await chat.info())?.compaction.mode ?? settings.compaction
}

async function compactionLines(session: ChatSession): Promise<readonly string[]> {
  const { chat, settings, system, args, world } = session
  const request = { model: settings.model, ...(system !== null && { system }) }
  const build = ({ tl }: OpenEngine) => tl.conversation(chat.id).context(request)
  const mode = await modeOf(session)
  const { budget } = await withEngine(args, world, build, { dryRun: true, change: () => settings })
  const { windowTokens, windowSource, reserveTokens, availableTokens } = budget
  const policy = policyName(settings.policy)
  const rows = [
    ['max context', `${grouped(windowTokens)} tokens (${windowSource})`],
    ['reserved', `${grouped(reserveTokens)} tokens for the reply`],
    ['max input', `${grouped(availableTokens)} tokens, the input budget`],
    ['strategy', `${policy}; summaries by ${settings.summarizer ?? 'rules (no LLM)'}`],
  ] as const
  return [
    `Context Management: ${modeTexts[mode]}`,
    ...labelled(rows, world.stdout),
    ...(mode === 'off'
      ? ['  A request that would not fit the window is still trimmed to fit.']
      : []),
  ]
}

const modeTexts = {
  on: 'enabled',
  off: 'disabled',
  shadow: 'enabled, shadow mode (only reports decisions)',
} as const satisfies Record<Mode, string>

/** What overrides the user's file in the next chat. */
function overruledBy({ args, world }: ChatSession): string | null {
  const { kind, where } = readSettings(args, world).sources.compaction
  return kind === 'user' || kind === 'built-in' ? null : where
}

async function changeModel(session: ChatSession, words: readonly string[]): Promise<SlashOutcome> {
  const [model, extra] = words
  if (extra !== undefined) throw new UsageError('/model needs one name')
  if (model === undefined) {
    await write(session, [`${session.settings.model} at ${session.provider.baseUrl}`])
    return 'done'
  }
  const settings = { ...session.settings, model, baseUrl: addressFor(model, session) }
  providerFor(model, settings, session.world)
  await write(session, [`Switched to ${model}.`])
  return settings
}

/** `baseUrl` was set for one provider; the key of another must not be sent there. */
function addressFor(model: string, { settings, provider, world }: ChatSession): string | null {
  const known = findProvider(model, { ...settings, baseUrl: null }, world)
  return known !== null && known.name !== provider.name ? null : settings.baseUrl
}

async function help(session: ChatSession): Promise<SlashOutcome> {
  const { stdout } = session.world
  const { bold, dim } = styleOf(stdout)
  const rows = Object.entries(slashForms).map(
    ([name, { takes, says }]) => [`/${name} ${takes}`.trimEnd(), says] as const,
  )
  const notes = wrap(entryHelp, stdout.width - 2).map((line) => dim(`  ${line}`))
  await write(session, [...labelled(rows, stdout, { paint: bold }), '', ...notes])
  return 'done'
}

async function write({ world }: ChatSession, lines: readonly string[]): Promise<void> {
  await world.stdout.write(lines.map((line) => `${line}\n`).join(''))
}
