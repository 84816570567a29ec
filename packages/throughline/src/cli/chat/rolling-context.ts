/**
 * Whether contexts are compacted by themselves, shown and switched from a chat. What is switched
 * stays switched: it stands in the user's own file.
 */
import type { Budget } from '../../index.ts'
import type { Arguments } from '../command.ts'
import { commandForms } from '../commands-data.ts'
import { type Ending, endingOf } from '../ending.ts'
import { type OpenEngine, withEngine } from '../open-engine.ts'
import { parseArguments } from '../parse-arguments.ts'
import { type LabelledRow, labelled } from '../screen/labelled.ts'
import { grouped } from '../screen/numbers.ts'
import { settle } from '../screen/tell.ts'
import { readSettings } from '../settings/read-settings.ts'
import {
  type CliSettings,
  policyName,
  settingFields,
  settingNames,
} from '../settings/setting-fields.ts'
import { userFile, writeSetting } from '../settings/setting-files.ts'
import type { World } from '../world.ts'
import type { Talk } from './talk.ts'

type Mode = CliSettings['compaction']

/** The settings that hold from now on. */
export async function switchCompaction(talk: Talk, compaction: Mode): Promise<CliSettings> {
  const { chat, settings, world } = talk
  const own = { file: userFile(world), kind: 'user' } as const
  writeSetting(own, { name: 'compaction', value: compaction }, world)
  // One that was set for this conversation alone would go before it.
  await chat.update({ compaction: null })
  return { ...settings, compaction }
}

export async function modeOf({ chat, settings }: Talk): Promise<Mode> {
  return (await chat.info())?.compaction.mode ?? settings.compaction
}

/** Only a look: nothing is changed. */
export async function compactionLines(talk: Talk): Promise<readonly string[]> {
  const { settings, world } = talk
  const { stdout } = world
  const mode = await modeOf(talk)
  const { windowTokens, windowSource, reserveTokens, availableTokens } = await budgetOf(talk)
  const rows: readonly LabelledRow[] = [
    ['max context', `${grouped(windowTokens)} tokens (${windowSource})`],
    ['reserved', `${grouped(reserveTokens)} tokens for the reply`],
    ['max input', `${grouped(availableTokens)} tokens, the input budget`],
    [
      'strategy',
      `${policyName(settings.policy)}; what is not shown is told by ${settings.summarizer ?? 'rules'}`,
    ],
  ]
  return [
    `Context Management: ${mode === 'off' ? 'disabled' : mode === 'on' ? 'enabled' : 'enabled, only told (shadow)'}`,
    ...labelled(rows, stdout),
    ...(mode === 'off'
      ? ['  No trigger compacts; a request that would not fit is made to fit all the same.']
      : []),
  ]
}

/** Where something else goes before the user's file, the next chat will not heed it. */
export function overruledBy({ args, world }: Talk): string | null {
  const { kind, where } = readSettings(args, world).sources.compaction
  return kind === 'user' || kind === 'built-in' ? null : where
}

/** As the next request would have it. */
function budgetOf({ chat, settings, system, args, world }: Talk): Promise<Budget> {
  const request = { model: settings.model, ...(system !== null && { system }) }
  const options = { onlyLooks: true, change: () => settings }
  const look = async ({ tl }: OpenEngine) =>
    (await tl.conversation(chat.id).context(request)).budget
  return withEngine(args, world, look, options)
}

/** Loaded when they are asked for, as the command line does. */
const commands = {
  status: async () => (await import('../commands/status.ts')).status,
  context: async () => (await import('../commands/context.ts')).context,
  compact: async () => (await import('../commands/compact.ts')).compact,
  receipt: async () => (await import('../commands/receipt.ts')).receipt,
  undo: async () => (await import('../commands/compact.ts')).undo,
  recall: async () => (await import('../commands/recall.ts')).recall,
  expand: async () => (await import('../commands/recall.ts')).expand,
  pin: async () => (await import('../commands/pin.ts')).pin,
  unpin: async () => (await import('../commands/pin.ts')).unpin,
} as const

export type InsideName = keyof typeof commands

/** Runs a command of the command line on the conversation of a chat, with the settings of the chat. */
export async function runInside({
  name,
  words,
  talk,
  world,
}: {
  readonly name: InsideName
  readonly words: readonly string[]
  readonly talk: Talk
  /** Its signal is that of this command. */
  readonly world: World
}): Promise<Ending> {
  try {
    const run = await commands[name]()
    const args = argumentsOf(talk, parseArguments(name, commandForms[name], words, world))
    return await settle(args, world, await run(args, world))
  } catch (error) {
    return endingOf(error, world)
  }
}

/** The conversation stands first, and what the chat was begun with stands for what is not said. */
function argumentsOf({ chat, settings, system }: Talk, said: Arguments): Arguments {
  const texts = settingTexts(settings)
  return {
    ...said,
    positionals: [chat.id, ...said.positionals],
    has: (option) => option !== 'last' && said.has(option),
    text: (option) => {
      const text = said.text(option)
      if (text !== null) return text
      // A prompt is a text by now, and no file, whatever it begins with.
      if (option === 'system') return system?.startsWith('@') ? ` ${system}` : system
      return texts.get(option) ?? null
    },
  }
}

function settingTexts(settings: CliSettings): ReadonlyMap<string, string> {
  return new Map(
    settingNames.map((name) => {
      // What is none here is none there too, whatever a file or the environment says.
      const value = settings[name] ?? 'none'
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      return [settingFields[name].flag, text] as const
    }),
  )
}
