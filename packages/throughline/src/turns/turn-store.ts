/** Turn records and steps in the store: the only file of the turn memory that reads and writes them. */

import { commitChanges } from '../derived/commit.ts'
import { loadSteps, loadTurns } from '../derived/rows.ts'
import type { ConversationId } from '../domain/ids.ts'
import type { AskState } from '../domain/model-calls.ts'
import type { StepRecord, TurnRecord } from '../domain/turn-memory.ts'
import type { TenantStore } from '../ports/store.ts'

interface Kept {
  readonly store: TenantStore
  readonly id: ConversationId
}

/** Newest first; only turns before `before`, unless that is null. */
export async function readTurns(
  { store, id }: Kept,
  before: number | null,
  limit: number,
): Promise<readonly TurnRecord[]> {
  return limit <= 0 ? [] : ((await loadTurns(store, { id, before, limit })) ?? [])
}

/** Newest first, with their results. */
export async function readSteps(
  { store, id }: Kept,
  limit: number,
): Promise<readonly StepRecord[]> {
  return (await loadSteps(store, { id, turn: null, step: null, limit })) ?? []
}

export async function readStep(
  { store, id }: Kept,
  { turn, step }: { readonly turn: number; readonly step: number },
): Promise<StepRecord | null> {
  return (await loadSteps(store, { id, turn, step, limit: 1 }))?.[0] ?? null
}

export interface NewTurn {
  readonly record: TurnRecord
  readonly steps: readonly StepRecord[]
  /** Null where no model was asked. */
  readonly asking: AskState | null
}

/** False where somebody else has changed the conversation since `expectedVersion`. */
export async function writeTurn(
  { store, id }: Kept,
  expectedVersion: number,
  remembered: NewTurn,
): Promise<boolean> {
  const { at } = remembered.record
  const outcome = await commitChanges(store, { id, expectedVersion, changes: { remembered }, at })
  return outcome.kind === 'committed'
}
