/**
 * Derived rows: everything that is kept of a conversation beside its log. Stores keep rows of any
 * kind alike and read no body; what differs between kinds is in one table (`derived-kinds.ts`).
 */
import type { AskState } from './asking.ts'
import type { Calibration } from './calibration.ts'
import type { DigestRecord } from './digest-record.ts'
import type { MessageFacts } from './fact.ts'
import type { Hindsight } from './hindsight.ts'
import type { Insert } from './insert.ts'
import type { Ledger } from './ledger.ts'
import type { Expansion, LeftInContext, NewReceipt } from './receipt.ts'
import type { RequestRecord } from './request-record.ts'
import type { SummaryRecord } from './summary.ts'
import type { StepRecord, TurnRecord } from './turn-record.ts'
import type { View } from './view.ts'

/** What the body of each kind is, as JSON. */
export interface DerivedBodies {
  /** Under the place of its message. */
  readonly facts: Omit<MessageFacts, 'seq'>
  readonly ledger: Ledger
  readonly digest: DigestRecord
  readonly summary: SummaryRecord
  /** What a model sees now. */
  readonly view: View
  /** A view that was in force; null where everything was shown. */
  readonly version: View | null
  readonly receipt: ReceiptBody
  readonly request: RequestRecord
  readonly calibration: Calibration
  readonly insert: Insert
  readonly turn: TurnRecord
  readonly step: StepRecord
  readonly asking: AskState
}

/** The name of a kind of derived rows. */
export type DerivedKind = keyof DerivedBodies

/** A receipt with its hindsight, or with what is kept until there is hindsight. */
export interface ReceiptBody {
  readonly receipt: NewReceipt
  readonly hindsight: Hindsight | null
  readonly waiting: { readonly left: LeftInContext; readonly expanded: readonly Expansion[] } | null
}

/** One row of a kind, named by its position and key. */
export interface DerivedRow {
  readonly kind: DerivedKind
  /** The place of a message, a version, the number of a turn or of a request. */
  readonly position: number
  /** Tells rows of one position apart; empty where there is one. Well-formed text. */
  readonly key: string
  /** A number of the kind's own to find rows by: where what it covers ends, or when it is due. */
  readonly bound: number | null
  /** A short text of the kind's own to find rows by. Read also where bodies are not. Well-formed. */
  readonly label: string | null
  /** JSON; empty where rows were asked for without bodies. */
  readonly body: string
}
