/** The turn memory as a context extension: the slots of the policy `turn-memory` are filled by it. */

import { loadSteps, loadTurns } from '../derived/rows.ts'
import type { ConversationId } from '../domain/ids.ts'
import {
  type TurnMemory,
  type TurnRecord,
  type TurnRules,
  turnRules,
  turnSlots,
} from '../domain/turn-memory.ts'
import type { ContextExtension } from '../ports/context-extension.ts'
import type { TenantStore } from '../ports/store.ts'
import { buildMemory, fullFrom, mostFullTurns } from './build-memory.ts'
import { memoryContent } from './memory-blocks.ts'

export const turnContext: ContextExtension = {
  slots: turnSlots,
  content: async ({ store, id, policy, reader }) => {
    const rules = policy.turns ?? turnRules
    const memory = await readMemory({ store, id }, rules)
    // Turns and history together describe all messages; the other slots do not.
    const isCovering = policy.slots.some(({ kind }) => kind === 'turns')
    return { coveredTo: isCovering ? memory.to : 0, ...memoryContent(memory, reader, rules) }
  },
}

interface Kept {
  readonly store: TenantStore
  readonly id: ConversationId
}

export async function readMemory(kept: Kept, rules: TurnRules): Promise<TurnMemory> {
  const [recent, steps] = await Promise.all([
    readTurns(kept, null, rules.fullTurns),
    loadSteps(kept.store, { id: kept.id, turn: null, step: null, limit: rules.fullSteps }),
  ])
  const others = await untoldBefore(kept, recent, rules)
  return buildMemory([...recent, ...others], steps ?? [], rules)
}

/** Older turns without a line in the history, which was written when more turns were shown in full. */
async function untoldBefore(
  kept: Kept,
  recent: readonly TurnRecord[],
  rules: TurnRules,
): Promise<readonly TurnRecord[]> {
  const [newest] = recent
  const before = recent.at(-1)?.turn ?? 0
  const untold = newest === undefined ? 0 : before - fullFrom(newest, rules)
  return readTurns(kept, before, Math.min(untold, mostFullTurns(rules) - recent.length))
}

/** Newest first; null reads from the newest. */
export async function readTurns(
  { store, id }: Kept,
  before: number | null,
  limit: number,
): Promise<readonly TurnRecord[]> {
  return limit <= 0 ? [] : ((await loadTurns(store, { id, before, limit })) ?? [])
}
