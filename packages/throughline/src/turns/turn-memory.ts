import { accessOf } from '../conversation/access.ts'
import type { ConversationHandle } from '../conversation/handle.ts'
import { loadSteps } from '../derived/rows.ts'
import { wholeNumber } from '../domain/span.ts'
import type { StepRecord, TurnMemory, TurnRecord } from '../domain/turn-memory.ts'
import { turnRules } from '../domain/turn-rules-data.ts'
import { checkOptions } from '../flow/check/check-options.ts'
import { limits } from './limits-data.ts'
import { readMemory, readTurns } from './turn-context.ts'

/**
 * Reads the memory after the last turn: theme, history, recent turns, entities, pending decision.
 *
 * @example
 * const { theme, pending } = await turnMemory(chat)
 * if (pending !== null) console.log('the user is asked', pending)
 */
export async function turnMemory(chat: ConversationHandle): Promise<TurnMemory> {
  const access = await accessOf(chat, 'turnMemory')
  return readMemory(access, access.policy.turns ?? turnRules)
}

/** The options of `rememberedTurns`. */
export interface RememberedTurnsInput {
  /** Only turns before this one. */
  readonly before?: number | undefined
  /** Default: 20. */
  readonly limit?: number | undefined
}

/**
 * The records of remembered turns, newest first, including those that became history lines.
 *
 * @example
 * const [newest] = await rememberedTurns(chat, { limit: 1 })
 * console.log(newest?.user, newest?.audit)
 */
export async function rememberedTurns(
  chat: ConversationHandle,
  query: RememberedTurnsInput = {},
): Promise<readonly TurnRecord[]> {
  const access = await accessOf(chat, 'rememberedTurns')
  const { before, limit } = checkOptions(query, ['before', 'limit'], 'rememberedTurns')
  const from = before === undefined ? null : wholeNumber(before)
  return readTurns(access, from, limit === undefined ? limits.pageTurns : wholeNumber(limit))
}

/** The number of a turn, and of a step in it (from 0). */
export interface StepKey {
  readonly turn: number
  readonly step: number
}

/**
 * The complete result of a step of any turn; null if there is no such step.
 *
 * @example
 * const step = await stepResult(chat, { turn: 4, step: 1 })
 * console.log(step?.result)
 */
export async function stepResult(
  chat: ConversationHandle,
  key: StepKey,
): Promise<StepRecord | null> {
  const { store, id } = await accessOf(chat, 'stepResult')
  const { turn, step } = checkOptions(key, ['turn', 'step'], 'stepResult')
  const query = { id, turn: wholeNumber(turn), step: wholeNumber(step), limit: 1 }
  return (await loadSteps(store, query))?.[0] ?? null
}
