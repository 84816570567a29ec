/**
 * Derived rows: everything that a store keeps of a conversation beside its log. Stores treat all
 * kinds alike and read no body; `derived-kinds.ts` has what differs.
 */
import { ThroughlineError } from '../errors.ts'
import type { Calibration } from './calibration.ts'
import type { Context } from './context.ts'
import type { Ledger, MessageFacts } from './ledger.ts'
import type { AskState } from './model-calls.ts'
import type { Expansion, FollowUp, LeftInContext, NewReceipt, RequestRecord } from './receipt.ts'
import type { DigestRecord, SummaryRecord } from './summary.ts'
import type { StepRecord, TurnRecord } from './turn-memory.ts'
import type { Insert, View } from './view.ts'

/** The type of each kind's body, which is stored as JSON. */
export interface DerivedBodies {
  readonly facts: Omit<MessageFacts, 'seq'>
  readonly ledger: Ledger
  readonly digest: DigestRecord
  readonly summary: SummaryRecord
  readonly view: View
  /** A view that was in force; null where everything was shown. */
  readonly version: View | null
  readonly receipt: ReceiptBody
  readonly request: RequestRecord
  /** System prompts and tools of requests, once for each content: the key is its hash. */
  readonly system: Context['system']
  readonly tools: Context['tools']
  readonly calibration: Calibration
  readonly insert: Insert
  readonly turn: TurnRecord
  readonly step: StepRecord
  readonly asking: AskState
}

/** The name of a kind of derived rows. */
export type DerivedKind = keyof DerivedBodies

/** A receipt with its follow-up, or with the data that the follow-up will need. */
export interface ReceiptBody {
  readonly receipt: NewReceipt
  readonly followUp: FollowUp | null
  readonly waiting: { readonly left: LeftInContext; readonly expanded: readonly Expansion[] } | null
}

/** One row of a kind, named by its position and key. */
export interface DerivedRow {
  readonly kind: DerivedKind
  /** The place of a message, a version, the number of a turn or of a request. */
  readonly position: number
  /** Distinguishes rows at one position; empty where there is only one. Well-formed text. */
  readonly key: string
  /** A number of the kind's own to find rows by: where what it covers ends, or when it is due. */
  readonly bound: number | null
  /** A short text of the kind's own to find rows by, read even without bodies. Well-formed. */
  readonly label: string | null
  /** JSON; empty where rows were read without bodies. */
  readonly body: string
}

/** Throws where the value cannot be read, or is not valid. */
export function readValid<Value>(
  what: string,
  isValid: (value: Value) => boolean,
  read: () => Value,
): Value {
  let cause: unknown
  try {
    const value = read()
    if (isValid(value)) return value
  } catch (error) {
    cause = error
  }
  throw changedOutside(what, cause)
}

export function changedOutside(what: string, cause?: unknown): ThroughlineError {
  return new ThroughlineError('STORE_CORRUPT', `${what} was changed from outside`, { cause })
}
