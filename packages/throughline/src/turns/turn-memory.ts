import { accessOf } from '../conversation/access.ts'
import type { ConversationHandle } from '../conversation/handle.ts'
import { loadSteps } from '../derived/rows.ts'
import { wholeNumber } from '../domain/span.ts'
import {
  type StepRecord,
  type TurnMemory,
  type TurnRecord,
  turnRules,
} from '../domain/turn-memory.ts'
import { checkOptions } from '../flow/check/check-options.ts'
import { limits } from './limits-data.ts'
import { readMemory, readTurns } from './turn-context.ts'

/**
 * What an agent knows after its last turn: theme, history, recent turns, entities, what it waits for.
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
  /** 20 where it is left out. */
  readonly limit?: number | undefined
}

/**
 * Turns as they were remembered, newest first, also those that are a line of the history by now.
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

/** A step, by its turn and its number in it, from 0. */
export interface StepKey {
  readonly turn: number
  readonly step: number
}

/**
 * What a step brought, whole, however long ago; null where there is no such step.
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
