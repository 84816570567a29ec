/** The slash commands of a chat. */
import { nearest } from '../../domain/text.ts'
import type { Arguments } from '../command.ts'
import { commandForms } from '../commands-data.ts'
import { WrongUsage } from '../ending.ts'
import { type OpenEngine, withEngine } from '../open-engine.ts'
import { parseArguments } from '../parse-arguments.ts'
import { findProvider } from '../provider.ts'
import { wrap } from '../screen/cells.ts'
import { labelled } from '../screen/labelled.ts'
import { grouped } from '../screen/numbers.ts'
import { styleOf } from '../screen/style.ts'
import { settle } from '../screen/tell.ts'
import { readSettings } from '../settings/read-settings.ts'
import {
  type CliSettings,
  policyName,
  settingFields,
  settingNames,
} from '../settings/setting-fields.ts'
import { userFile, writeSetting } from '../settings/setting-files.ts'
import { conversationCommands } from './conversation-commands.ts'
import { entryHelp, noSummarizer, slashForms } from './slash-commands-data.ts'
import { providerFor, type Talk } from './talk.ts'

/** `retry`: answer the last message. Settings: continue with these. */
export type SlashOutcome = 'done' | 'retry' | 'quit' | CliSettings

type RunSlash = (talk: Talk, words: readonly string[]) => Promise<SlashOutcome>

const runs: Readonly<Record<keyof typeof slashForms, RunSlash>> = {
  status: async (talk, words) => {
    await write(talk, await compactionLines(talk))
    if ((await talk.chat.info()) === null) return 'done'
    await write(talk, [''])
    return inside('status')(talk, words)
  },
  context: inside('context', (words) => (words.length === 0 ? ['--figures'] : words)),
  compact: inside('compact', (words) =>
    words.length === 0 || words[0]?.startsWith('--') ? words : ['--instructions', words.join(' ')],
  ),
  resummarize: (talk, words) => {
    if (talk.settings.summarizer === null) throw new WrongUsage(noSummarizer)
    return inside('compact', () => ['--afresh'])(talk, words)
  },
  receipt: inside('receipt'),
  undo: inside('undo'),
  recall: inside('recall', behind),
  expand: inside('expand', behind),
  pin: inside('pin', behind),
  unpin: inside('unpin', behind),
  'rolling-context': rollingContext,
  model: changeModel,
  retry: async () => 'retry',
  help,
  quit: async () => 'quit',
}

const slashNames = Object.keys(runs).map((name) => `/${name}`)

/** Null for a message: `/etc/hosts` is no command, nor is what follows `//`. */
export function slashIn(entry: string): ((talk: Talk) => Promise<SlashOutcome>) | null {
  const match = /^\/([a-z][a-z-]*)(?:\s+(.*))?$/s.exec(entry.trim())
  if (match === null) return null
  const [, name = '', rest = ''] = match
  return async (talk) => {
    if (!isSlash(name)) {
      const meant = nearest(`/${name}`, slashNames)
      const hint = meant === null ? '/help lists them' : `did you mean ${meant}?`
      throw new WrongUsage(`there is no /${name}; ${hint} (to say it, write //${name})`)
    }
    return runs[name](
      talk,
      rest.split(/\s+/).filter((word) => word !== ''),
    )
  }
}

function isSlash(name: string): name is keyof typeof runs {
  return Object.hasOwn(runs, name)
}

export function completeSlash(beginning: string): readonly string[] {
  return beginning.startsWith('/') ? slashNames.filter((name) => name.startsWith(beginning)) : []
}

/** Runs a command of the command line on the chat's conversation, with the chat's settings. */
function inside(
  name: keyof typeof conversationCommands,
  wordsOf: (words: readonly string[]) => readonly string[] = (words) => words,
): RunSlash {
  return async (talk, words) => {
    const { world } = talk
    if ((await talk.chat.info()) === null) throw new WrongUsage('nothing was said yet')
    const run = await conversationCommands[name]()
    const args = argumentsOf(talk, parseArguments(name, commandForms[name], wordsOf(words), world))
    const { problem } = await settle(args, world, await run(args, world))
    if (problem !== null) throw new WrongUsage(problem.message)
    return 'done'
  }
}

function behind(words: readonly string[]): readonly string[] {
  return words.length === 0 ? [] : ['--', ...words]
}

/** Adds the conversation as the first word; the chat's settings are the defaults. */
function argumentsOf({ chat, settings, system }: Talk, said: Arguments): Arguments {
  const texts = new Map(
    settingNames.map((name) => {
      // Null here is none there too, whatever a file or the environment says.
      const value = settings[name] ?? 'none'
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      return [settingFields[name].flag as string, text]
    }),
  )
  // The prompt is text by now, not a file, even with an @.
  if (system !== null) texts.set('system', system.startsWith('@') ? ` ${system}` : system)
  return {
    ...said,
    positionals: [chat.id, ...said.positionals],
    has: (option) => option !== 'last' && said.has(option),
    text: (option) => said.text(option) ?? texts.get(option) ?? null,
  }
}

async function rollingContext(talk: Talk, [word]: readonly string[]): Promise<SlashOutcome> {
  const wanted = wantedMode(word, (await modeOf(talk)) === 'off')
  if (wanted === null) {
    await write(talk, await compactionLines(talk))
    return 'done'
  }
  const settings = await switchCompaction(talk, wanted)
  const other = overruledBy(talk)
  const note =
    other === null
      ? []
      : [`  For this chat. The next one heeds ${other}, which goes before your file.`]
  await write(talk, [...(await compactionLines({ ...talk, settings })), ...note])
  return settings
}

function wantedMode(word: string | undefined, isOff: boolean): 'on' | 'off' | null {
  if (word === undefined) return isOff ? 'on' : 'off'
  if (word === 'status') return null
  if (word === 'on' || word === 'enable') return 'on'
  if (word === 'off' || word === 'disable') return 'off'
  throw new WrongUsage(`/rolling-context takes on, off or status, not "${word}"`)
}

type Mode = CliSettings['compaction']

/** Saved in the user's own file. */
async function switchCompaction(talk: Talk, compaction: Mode): Promise<CliSettings> {
  const { chat, settings, world } = talk
  const own = { file: userFile(world), kind: 'user' } as const
  writeSetting(own, { name: 'compaction', value: compaction }, world)
  // A mode of this conversation would override it.
  await chat.update({ compaction: null })
  return { ...settings, compaction }
}

async function modeOf({ chat, settings }: Talk): Promise<Mode> {
  return (await chat.info())?.compaction.mode ?? settings.compaction
}

async function compactionLines(talk: Talk): Promise<readonly string[]> {
  const { chat, settings, system, args, world } = talk
  const request = { model: settings.model, ...(system !== null && { system }) }
  const look = ({ tl }: OpenEngine) => tl.conversation(chat.id).context(request)
  const mode = await modeOf(talk)
  const { budget } = await withEngine(args, world, look, {
    onlyLooks: true,
    change: () => settings,
  })
  const { windowTokens, windowSource, reserveTokens, availableTokens } = budget
  const policy = policyName(settings.policy)
  const rows = [
    ['max context', `${grouped(windowTokens)} tokens (${windowSource})`],
    ['reserved', `${grouped(reserveTokens)} tokens for the reply`],
    ['max input', `${grouped(availableTokens)} tokens, the input budget`],
    ['strategy', `${policy}; what is not shown is told by ${settings.summarizer ?? 'rules'}`],
  ] as const
  return [
    `Context Management: ${modeTexts[mode]}`,
    ...labelled(rows, world.stdout),
    ...(mode === 'off'
      ? ['  No trigger compacts; a request that would not fit is made to fit all the same.']
      : []),
  ]
}

const modeTexts = {
  on: 'enabled',
  off: 'disabled',
  shadow: 'enabled, only told (shadow)',
} as const satisfies Record<Mode, string>

/** What overrides the user's file in the next chat. */
function overruledBy({ args, world }: Talk): string | null {
  const { kind, where } = readSettings(args, world).sources.compaction
  return kind === 'user' || kind === 'built-in' ? null : where
}

async function changeModel(talk: Talk, words: readonly string[]): Promise<SlashOutcome> {
  const [model, extra] = words
  if (extra !== undefined) throw new WrongUsage('/model takes one name')
  if (model === undefined) {
    await write(talk, [`${talk.settings.model} at ${talk.provider.baseUrl}`])
    return 'done'
  }
  const settings = { ...talk.settings, model, baseUrl: addressFor(model, talk) }
  providerFor(model, settings, talk.world)
  await write(talk, [`${model} answers from now on.`])
  return settings
}

/** The address was set for one provider; the key of another is not sent there. */
function addressFor(model: string, { settings, provider, world }: Talk): string | null {
  const known = findProvider(model, { ...settings, baseUrl: null }, world)
  return known !== null && known.name !== provider.name ? null : settings.baseUrl
}

async function help(talk: Talk): Promise<SlashOutcome> {
  const { stdout } = talk.world
  const { bold, dim } = styleOf(stdout)
  const rows = Object.entries(slashForms).map(
    ([name, { takes, says }]) => [`/${name} ${takes}`.trimEnd(), says] as const,
  )
  const notes = wrap(entryHelp, stdout.width - 2).map((line) => dim(`  ${line}`))
  await write(talk, [...labelled(rows, stdout, { paint: bold }), '', ...notes])
  return 'done'
}

async function write({ world }: Talk, lines: readonly string[]): Promise<void> {
  await world.stdout.write(lines.map((line) => `${line}\n`).join(''))
}
