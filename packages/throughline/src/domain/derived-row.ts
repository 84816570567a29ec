/**
 * Derived rows: everything that a store keeps of a conversation beside its log. Stores treat all
 * kinds alike and read no body; `derived-kinds.ts` has what differs.
 */
import { ThroughlineError } from '../errors.ts'
import type { Calibration } from './calibration.ts'
import type { Ledger, LedgerEntry, MessageFacts } from './ledger.ts'
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

export function bodyOf<Kind extends DerivedKind>(
  kind: Kind,
  { body }: Pick<DerivedRow, 'body'>,
): DerivedBodies[Kind] {
  const [what] = shapes[kind]
  let cause: unknown
  try {
    const value: unknown = JSON.parse(body)
    if (checks[kind](value)) return value as DerivedBodies[Kind]
  } catch (error) {
    cause = error
  }
  throw changedOutside(what, cause)
}

export function changedOutside(what: string, cause?: unknown): ThroughlineError {
  return new ThroughlineError('STORE_CORRUPT', `${what} was changed from outside`, { cause })
}

/** How a value must look: a test, the shape of every item, or the shapes of fields. */
export type Shape<Value> =
  | ((value: unknown) => boolean)
  | (Value extends readonly (infer Item)[]
      ? readonly [Shape<Item>]
      : { readonly [Field in keyof Value]?: Shape<Value[Field]> })

export const number = (value: unknown) => typeof value === 'number'
export const text = (value: unknown) => typeof value === 'string'
export const list = (value: unknown) => Array.isArray(value)
const trust = (value: unknown) => value === 'user' || value === 'assistant' || value === 'tool'
const voice = (value: unknown) => trust(value) || value === 'summary'
const numbersByName = (value: unknown) => Object.values(value as object).every(number)
export const orNull = <Value>(shape: Shape<NonNullable<Value>>) => {
  const check = checkOf(shape)
  return (value: unknown) => value === null || check(value)
}

const view: Shape<View> = { epoch: number, line: number, keeps: [number], stubs: list }

const followUp: Shape<FollowUp> = {
  at: number,
  reopened: list,
  recalled: list,
  names: { needed: number, missing: [text] },
}

const ledgerEntry: Shape<LedgerEntry> = {
  key: text,
  kind: text,
  label: text,
  value: text,
  status: text,
  trust,
  namedBy: trust,
  sources: [number],
  lastSeq: number,
  counts: numbersByName,
  uses: { user: number, assistant: number, tool: number },
}

/** What is checked of each body, and its name in errors. */
const shapes: {
  readonly [Kind in DerivedKind]: readonly [name: string, shape: Shape<DerivedBodies[Kind]>]
} = {
  facts: [
    'facts of a message',
    {
      trust,
      facts: [{ kind: text, key: text, label: text, value: text, uses: number }],
      digest: orNull<MessageFacts['digest']>({ by: voice, text }),
    },
  ],
  ledger: ['a ledger', { to: number, entries: [ledgerEntry] }],
  digest: ['a digest', { seq: number, text, madeBy: { model: text }, createdAt: number }],
  summary: [
    'a summary',
    {
      id: text,
      text,
      covers: { to: number },
      keyPoints: [text],
      trust,
      madeBy: { summarizer: text },
      depth: number,
      version: number,
    },
  ],
  view: ['a view', view],
  version: ['a view', orNull<View>(view)],
  receipt: [
    'a receipt',
    {
      receipt: {
        model: text,
        decision: { reason: text },
        epoch: number,
        line: number,
        head: number,
        covered: { from: number, to: number },
        at: number,
        keeps: [number],
        tokensByKind: numbersByName,
      },
      followUp: orNull<FollowUp>(followUp),
      waiting: orNull<ReceiptBody['waiting']>({
        left: { text, stubs: [number] },
        expanded: [{ span: { from: number, to: number }, times: number }],
      }),
    },
  ],
  request: [
    'a request',
    {
      fingerprint: text,
      prefix: { chain: text },
      epoch: number,
      tokens: number,
      decision: { kind: text, reason: text },
    },
  ],
  calibration: ['a calibration', { priorFactor: number, observed: number, growths: list }],
  insert: ['what was recalled', { epoch: number, before: number, of: text, text, sources: list }],
  turn: [
    'a turn',
    {
      turn: number,
      messages: { from: number, to: number },
      user: text,
      assistant: text,
      steps: list,
      knows: { history: list, entities: list },
    },
  ],
  step: [
    'a step',
    {
      turn: number,
      step: number,
      description: text,
      outcome: text,
      result: (value: unknown) => value !== undefined,
    },
  ],
  asking: [
    'what was spent on models',
    { breaker: { ineffective: number }, spent: [{ at: number, usd: number }] },
  ],
}

export function isShaped<Value>(shape: Shape<Value>, value: unknown): boolean {
  try {
    return checkOf(shape)(value)
  } catch {
    return false
  }
}

/** The check throws for null and undefined where fields are expected; callers refuse those. */
function checkOf<Value>(shape: Shape<Value>): (value: unknown) => boolean {
  if (typeof shape === 'function') return shape
  if (Array.isArray(shape)) {
    const check = checkOf(shape[0] as Shape<unknown>)
    return (value) => Array.isArray(value) && value.every((item) => check(item))
  }
  const fields = Object.entries(shape).map(
    ([field, inner]) => [field, checkOf(inner as Shape<unknown>)] as const,
  )
  return (value) => {
    const values = value as Readonly<Record<string, unknown>>
    return fields.every(([field, check]) => check(values[field]))
  }
}

// Thousands of rows share a shape, so its check is built once.
const checks = Object.fromEntries(
  Object.entries(shapes).map(([kind, [, shape]]) => [kind, checkOf(shape as Shape<unknown>)]),
) as Readonly<Record<DerivedKind, (value: unknown) => boolean>>
