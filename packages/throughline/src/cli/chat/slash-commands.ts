/** What can be done in a chat beside talking: words behind a slash. */
import { nearest } from '../../domain/text.ts'
import { WrongUsage } from '../ending.ts'
import { findProvider } from '../provider.ts'
import { wrap } from '../screen/cells.ts'
import { labelled } from '../screen/labelled.ts'
import { styleOf } from '../screen/style.ts'
import type { CliSettings } from '../settings/setting-fields.ts'
import type { World } from '../world.ts'
import {
  compactionLines,
  type InsideName,
  modeOf,
  overruledBy,
  runInside,
  switchCompaction,
} from './rolling-context.ts'
import { providerFor, type Talk } from './talk.ts'

export type SlashOutcome =
  | { readonly kind: 'done' }
  /** Something could not be done; told as it stands. */
  | { readonly kind: 'problem'; readonly message: string }
  /** The chat goes on with other settings. */
  | { readonly kind: 'changed'; readonly settings: CliSettings }
  /** What was said last is to be answered. */
  | { readonly kind: 'retry' }
  | { readonly kind: 'quit' }

export interface SlashInput {
  readonly words: readonly string[]
  readonly talk: Talk
  /** Its signal is aborted with Ctrl-C. */
  readonly world: World
}

interface SlashCommand {
  readonly takes?: string
  readonly says: string
  run(input: SlashInput): Promise<SlashOutcome>
}

/** One of the command line, with what stands behind it. */
function inside(
  name: InsideName,
  wordsOf: (words: readonly string[]) => readonly string[] = (words) => words,
): SlashCommand['run'] {
  return async ({ words, talk, world }) => {
    if ((await talk.chat.info()) === null) return problem('nothing was said yet')
    const ending = await runInside({ name, words: wordsOf(words), talk, world })
    return ending.problem === null ? done : problem(ending.problem.message)
  }
}

function problem(message: string): SlashOutcome {
  return { kind: 'problem', message }
}

const done: SlashOutcome = { kind: 'done' }
const behind = (words: readonly string[]) => (words.length === 0 ? [] : ['--', ...words])

const slashCommands: Readonly<Record<string, SlashCommand>> = {
  status: {
    says: 'how full the last request was',
    run: async (input) => {
      await write(input, await compactionLines(input.talk))
      if ((await input.talk.chat.info()) === null) return done
      await write(input, [''])
      return inside('status')(input)
    },
  },
  context: {
    says: 'what the model would see; --full for all',
    run: inside('context', (words) => (words.length === 0 ? ['--figures'] : words)),
  },
  compact: {
    takes: '[INSTRUCTIONS]',
    says: 'compacts now, and what to dwell on',
    run: inside('compact', (words) =>
      words.length === 0 || words[0]?.startsWith('--')
        ? words
        : ['--instructions', words.join(' ')],
    ),
  },
  resummarize: {
    says: 'compacts with a summary made afresh',
    run: async (input) =>
      input.talk.settings.summarizer === null
        ? problem(noSummarizer)
        : inside('compact', () => ['--afresh'])(input),
  },
  receipt: { says: 'what the last compaction did', run: inside('receipt') },
  undo: { says: 'shows again what stood before it', run: inside('undo') },
  recall: {
    takes: 'WORDS',
    says: 'finds what was said on something',
    run: inside('recall', behind),
  },
  expand: {
    takes: '#12',
    says: 'opens messages, word for word',
    run: inside('expand', behind),
  },
  pin: { takes: '[#12]', says: 'shows a message always', run: inside('pin', behind) },
  unpin: { takes: '#12', says: 'lets it go', run: inside('unpin', behind) },
  'rolling-context': {
    takes: 'on|off|status',
    says: 'whether it compacts by itself',
    run: rollingContext,
  },
  model: { takes: '[NAME]', says: 'goes on with another model', run: changeModel },
  retry: {
    says: 'asks again where no answer came',
    run: async () => ({ kind: 'retry' }),
  },
  help: { says: 'this list', run: help },
  quit: { says: 'ends; so does Ctrl-D', run: async () => ({ kind: 'quit' }) },
}

const slashNames = Object.keys(slashCommands).map((name) => `/${name}`)

/** Null for what is said and not done: `/etc/hosts` is no command, nor is what follows `//`. */
export function slashIn(entry: string): { readonly name: string; readonly words: string[] } | null {
  const match = /^\/([a-z][a-z-]*)(?:\s+(.*))?$/s.exec(entry.trim())
  if (match === null) return null
  return {
    name: match[1] ?? '',
    words: (match[2] ?? '').split(/\s+/).filter((word) => word !== ''),
  }
}

export async function runSlash(name: string, input: SlashInput): Promise<SlashOutcome> {
  const command = Object.hasOwn(slashCommands, name) ? slashCommands[name] : undefined
  if (command !== undefined) return command.run(input)
  const meant = nearest(`/${name}`, slashNames)
  const hint = meant === null ? '/help lists them' : `did you mean ${meant}?`
  return problem(`there is no /${name}; ${hint} (to say it, write //${name})`)
}

export function completeSlash(beginning: string): readonly string[] {
  return beginning.startsWith('/') ? slashNames.filter((name) => name.startsWith(beginning)) : []
}

const noSummarizer =
  'no model writes summaries here, so there is none to write again: chat --summarizer openai/gpt-5-mini has one'

async function rollingContext(input: SlashInput): Promise<SlashOutcome> {
  const { words, talk } = input
  const isOff = (await modeOf(talk)) === 'off'
  const wanted = wantedMode(words[0], isOff)
  if (wanted === null) {
    await write(input, await compactionLines(talk))
    return done
  }
  const settings = await switchCompaction(talk, wanted)
  await write(input, await compactionLines({ ...talk, settings }))
  const other = overruledBy(talk)
  if (other !== null)
    await write(input, [
      `  For this chat. The next one heeds ${other}, which goes before your file.`,
    ])
  return { kind: 'changed', settings }
}

/** Null where it is only to be shown. */
function wantedMode(word: string | undefined, isOff: boolean): 'on' | 'off' | null {
  if (word === undefined) return isOff ? 'on' : 'off'
  if (word === 'status') return null
  if (word === 'on' || word === 'enable') return 'on'
  if (word === 'off' || word === 'disable') return 'off'
  throw new WrongUsage(`/rolling-context takes on, off or status, not "${word}"`)
}

async function changeModel(input: SlashInput): Promise<SlashOutcome> {
  const { words, talk, world } = input
  const [model, extra] = words
  if (extra !== undefined) throw new WrongUsage('/model takes one name')
  if (model === undefined) {
    await write(input, [`${talk.settings.model} at ${talk.provider.baseUrl}`])
    return done
  }
  const settings = { ...talk.settings, model, baseUrl: addressFor(model, talk) }
  providerFor(model, settings, world)
  await write(input, [`${model} answers from now on.`])
  return { kind: 'changed', settings }
}

/** An address was set for one provider; the key of another is not sent there. */
function addressFor(model: string, { settings, provider, world }: Talk): string | null {
  const known = findProvider(model, { ...settings, baseUrl: null }, world)
  return known !== null && known.name !== provider.name ? null : settings.baseUrl
}

async function help(input: SlashInput): Promise<SlashOutcome> {
  const { stdout } = input.world
  const { bold, dim } = styleOf(stdout)
  const rows = Object.entries(slashCommands).map(
    ([name, { takes = '', says }]) => [`/${name} ${takes}`.trimEnd(), says] as const,
  )
  const told = labelled(rows, stdout, { paint: bold })
  const notes = wrap(entryHelp, stdout.width - 2).map((line) => dim(`  ${line}`))
  await write(input, [...told, '', ...notes])
  return done
}

const entryHelp =
  'Three quotes (""") begin and end a message of several lines, and \\ at the end of a line goes on in the next. Ctrl-C stops an answer. A message that begins with / is said with //.'

async function write({ world }: SlashInput, lines: readonly string[]): Promise<void> {
  await world.stdout.write(lines.map((line) => `${line}\n`).join(''))
}
