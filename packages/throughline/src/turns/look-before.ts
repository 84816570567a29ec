/** What is known before a turn is remembered, in one state of the conversation. */
import type { Internals } from '../conversation/runtime.ts'
import type { Seq } from '../domain/ids.ts'
import type { Span } from '../domain/span.ts'
import type { TurnKnowledge, TurnRecord } from '../domain/turn-record.ts'
import type { TurnRules } from '../domain/turn-rules.ts'
import type { ConversationState } from '../ports/state-commands.ts'
import { nothingKnown } from './remember.ts'
import { type MissedTurn, turnInLog } from './turn-in-log.ts'
import { readTurns } from './turn-store.ts'

export interface Before {
  readonly state: ConversationState
  /** Of the turn that is to be remembered. */
  readonly number: number
  readonly messages: Span
  /** Turns before it that were never handed over, oldest first. */
  readonly missed: readonly MissedTurn[]
  readonly knows: TurnKnowledge
  /** Newest first: those whose keys are looked at, and all that are to be compressed. */
  readonly records: readonly TurnRecord[]
  /** Those that are full no longer with this turn, oldest first. */
  readonly leaving: readonly TurnRecord[]
  /** Equal names, equal pasts. */
  readonly name: string
}

const keysLookedAt = 20

export async function lookBefore(
  inside: Internals,
  rules: TurnRules,
  asked: { readonly userMessage: string; readonly head: Seq | null },
): Promise<Before> {
  const state = await stateOf(inside)
  const [last] = await readTurns(inside, null, 1)
  const number = (last?.turn ?? 0) + 1
  const knows = last?.knows ?? nothingKnown
  const toldTo = knows.history.at(-1)?.to ?? 1
  const limit = Math.max(keysLookedAt, number - toldTo)
  const records = await readTurns(inside, number, limit)
  const fullFrom = number + 1 - rules.fullTurns
  const leaving = records.filter(({ turn }) => turn >= toldTo && turn < fullFrom).reverse()
  const from = last?.messages.to ?? 0
  const { head, rewrites } = state.conversation
  const { span: messages, missed } = await turnInLog(inside, { from, head }, asked)
  const name = JSON.stringify([state.serial, rewrites, number, toldTo, leaving.length])
  return { state, number, messages, missed, knows, records, leaving, name }
}

/** A conversation may have turns to remember before any message was kept. */
async function stateOf({ store, id, front }: Internals): Promise<ConversationState> {
  const query = { id, model: noModel }
  const state = await store.state(query)
  if (state !== null) return state
  const at = front.now()
  await store.create({ id, title: null, meta: null, parent: null, forkedFrom: null, at })
  const begun = await store.state(query)
  if (begun === null) throw new Error('a conversation that was begun is there')
  return begun
}

// What is asked for is of the conversation, whichever model it speaks with.
const noModel = 'none'
