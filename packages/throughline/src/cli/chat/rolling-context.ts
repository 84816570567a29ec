/**
 * Whether contexts are compacted by themselves, shown and switched from a chat. What is switched
 * stays switched: it stands in the user's own file.
 */
import { type OpenEngine, withEngine } from '../open-engine.ts'
import { labelled } from '../screen/labelled.ts'
import { grouped } from '../screen/numbers.ts'
import { readSettings } from '../settings/read-settings.ts'
import { type CliSettings, policyName } from '../settings/setting-fields.ts'
import { userFile, writeSetting } from '../settings/setting-files.ts'
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

/** Only a look at what the next request would have: nothing is changed. */
export async function compactionLines(talk: Talk): Promise<readonly string[]> {
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

/** Where something else goes before the user's file, the next chat will not heed it. */
export function overruledBy({ args, world }: Talk): string | null {
  const { kind, where } = readSettings(args, world).sources.compaction
  return kind === 'user' || kind === 'built-in' ? null : where
}
