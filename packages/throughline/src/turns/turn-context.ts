/** The context extension that fills the slots of the policy `turn-memory`. */
import type { ConversationAccess } from '../conversation/access.ts'
import { loadSteps, loadTurns } from '../derived/rows.ts'
import {
  type TurnMemory,
  type TurnRecord,
  type TurnRules,
  turnSlots,
} from '../domain/turn-memory.ts'
import { turnRules } from '../domain/turn-rules-data.ts'
import type { ContextExtension } from '../ports/context-extension.ts'
import { buildMemory, fullFrom, maxFullTurns } from './build-memory.ts'
import { memoryContent } from './memory-blocks.ts'

export const turnContext: ContextExtension = {
  slots: turnSlots,
  content: async ({ store, id, policy, reader }) => {
    const rules = policy.turns ?? turnRules
    const memory = await readMemory({ store, id }, rules)
    // Only the slot `turns`, together with the history, replaces messages.
    const isCovering = policy.slots.some(({ kind }) => kind === 'turns')
    return { coveredTo: isCovering ? memory.to : 0, ...memoryContent(memory, reader, rules) }
  },
}

type MemorySource = Pick<ConversationAccess, 'store' | 'id'>

export async function readMemory(source: MemorySource, rules: TurnRules): Promise<TurnMemory> {
  const [recent, steps] = await Promise.all([
    readTurns(source, null, rules.fullTurns),
    loadSteps(source.store, { id: source.id, turn: null, step: null, limit: rules.fullSteps }),
  ])
  const [newest] = recent
  const before = recent.at(-1)?.turn ?? 0
  // Older turns without a history line: an earlier policy showed more turns in full.
  const missing = newest === undefined ? 0 : before - fullFrom(newest, rules)
  const most = Math.min(missing, maxFullTurns(rules) - recent.length)
  const others = await readTurns(source, before, most)
  return buildMemory([...recent, ...others], steps ?? [], rules)
}

/** Newest first; null reads from the newest. */
export async function readTurns(
  { store, id }: MemorySource,
  before: number | null,
  limit: number,
): Promise<readonly TurnRecord[]> {
  return limit <= 0 ? [] : ((await loadTurns(store, { id, before, limit })) ?? [])
}
