/**
 * Derived rows: everything that is kept of a conversation beside its log. Stores keep rows of any
 * kind alike and read no body; what differs between kinds is in one table (`derived-kinds.ts`).
 */

import { ThroughlineError } from '../errors.ts'
import type { Calibration } from './calibration.ts'
import type { Fact, Ledger, LedgerEntry, MessageFacts } from './ledger.ts'
import type { AskState } from './model-calls.ts'
import type { Expansion, Hindsight, LeftInContext, NewReceipt, RequestRecord } from './receipt.ts'
import type { DigestRecord, SummaryRecord } from './summary.ts'
import type { StepRecord, TurnRecord } from './turn-memory.ts'
import type { Insert, View } from './view.ts'

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

/** What a row holds. */
export function bodyOf<Kind extends DerivedKind>(
  kind: Kind,
  { body }: Pick<DerivedRow, 'body'>,
): DerivedBodies[Kind] {
  const { what, isSound } = shapes[kind]
  let cause: unknown
  try {
    const value = JSON.parse(body) as DerivedBodies[Kind]
    if (isSound(value)) return value
  } catch (error) {
    cause = error
  }
  throw new ThroughlineError('STORE_CORRUPT', `${what} was changed from outside`, { cause })
}

type Shapes = {
  readonly [Kind in DerivedKind]: {
    readonly what: string
    readonly isSound: (value: DerivedBodies[Kind]) => boolean
  }
}

const shapes: Shapes = {
  facts: {
    what: 'facts of a message',
    isSound: ({ trust, facts, digest }) =>
      isTrust(trust) &&
      areAll(facts, isFact) &&
      (digest === null || (isTrust(digest.by) && isText(digest.text))),
  },
  ledger: {
    what: 'a ledger',
    isSound: ({ to, entries }) => isNumber(to) && areAll(entries, isLedgerEntry),
  },
  digest: {
    what: 'a digest',
    isSound: ({ seq, text, madeBy, createdAt }) =>
      [text, madeBy.model].every(isText) && [seq, createdAt].every(isNumber),
  },
  summary: {
    what: 'a summary',
    isSound: ({ id, text, covers, keyPoints, madeBy, depth, version, trust }) =>
      [id, text, madeBy.summarizer].every(isText) &&
      [covers.to, depth, version].every(isNumber) &&
      areAll(keyPoints, isText) &&
      isTrust(trust),
  },
  view: { what: 'a view', isSound: isView },
  version: { what: 'a view', isSound: (view) => view === null || isView(view) },
  receipt: { what: 'a receipt', isSound: isReceipt },
  request: {
    what: 'a request',
    isSound: ({ fingerprint, epoch, tokens, prefix }) =>
      [fingerprint, prefix.chain].every(isText) && [epoch, tokens].every(isNumber),
  },
  calibration: {
    what: 'a calibration',
    isSound: ({ priorFactor, observed, growths }) =>
      [priorFactor, observed].every(isNumber) && Array.isArray(growths),
  },
  insert: {
    what: 'what was recalled',
    isSound: ({ epoch, before, of, text, sources }) =>
      [epoch, before].every(isNumber) && [of, text].every(isText) && Array.isArray(sources),
  },
  turn: {
    what: 'a turn',
    isSound: ({ turn, messages, user, assistant, steps, knows }) =>
      [turn, messages.from, messages.to].every(isNumber) &&
      [user, assistant].every(isText) &&
      [steps, knows.history, knows.entities].every(Array.isArray),
  },
  step: {
    what: 'a step',
    isSound: ({ turn, step, description, outcome, result }) =>
      [turn, step].every(isNumber) && [description, outcome].every(isText) && result !== undefined,
  },
  asking: {
    what: 'what was spent on models',
    isSound: ({ breaker, spent }) =>
      isNumber(breaker.ineffective) &&
      areAll(spent, ({ at, usd }) => isNumber(at) && isNumber(usd)),
  },
}

function isView({ epoch, line, keeps, stubs }: View): boolean {
  return [epoch, line].every(isNumber) && areAll(keeps, isNumber) && Array.isArray(stubs)
}

function isReceipt({ receipt, hindsight, waiting }: ReceiptBody): boolean {
  const { model, epoch, line, head, keeps, decision, covered, tokensByKind, at } = receipt
  return (
    [model, decision.reason].every(isText) &&
    [epoch, line, head, covered.from, covered.to, at].every(isNumber) &&
    areAll(keeps, isNumber) &&
    Object.values(tokensByKind).every(isNumber) &&
    (hindsight === null || isHindsight(hindsight)) &&
    (waiting === null ||
      (isText(waiting.left.text) &&
        areAll(waiting.left.stubs, isNumber) &&
        areAll(waiting.expanded, ({ span, times }) => [span.from, span.to, times].every(isNumber))))
  )
}

function isHindsight({
  at,
  reopened,
  recalled,
  names,
}: NonNullable<ReceiptBody['hindsight']>): boolean {
  return (
    [at, names.needed].every(isNumber) &&
    [reopened, recalled].every(Array.isArray) &&
    areAll(names.missing, isText)
  )
}

function isFact({ kind, key, label, value, uses }: Fact): boolean {
  return [kind, key, label, value].every(isText) && isNumber(uses)
}

function isLedgerEntry(entry: LedgerEntry): boolean {
  const { key, kind, label, value, status, trust, namedBy, sources, lastSeq, uses, counts } = entry
  return (
    [key, kind, label, value, status].every(isText) &&
    [trust, namedBy].every(isTrust) &&
    areAll(sources, isNumber) &&
    [lastSeq, uses.user, uses.assistant, uses.tool].every(isNumber) &&
    Object.values(counts).every(isNumber)
  )
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number'
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

/** Another word than these would outrank or be outranked by nothing. */
function isTrust(value: unknown): boolean {
  return value === 'user' || value === 'assistant' || value === 'tool'
}

function areAll<Item>(items: readonly Item[], isSound: (item: Item) => boolean): boolean {
  return Array.isArray(items) && items.every(isSound)
}
