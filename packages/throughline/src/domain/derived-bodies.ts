/** The bodies of derived rows, read back. One that is not of the shape we wrote was changed by somebody else. */
import { ThroughlineError } from '../errors.ts'
import type { DerivedBodies, DerivedKind, DerivedRow, ReceiptBody } from './derived-row.ts'
import type { Fact } from './fact.ts'
import type { LedgerEntry } from './ledger.ts'
import type { View } from './view.ts'

/**
 * What a row holds.
 *
 * @example
 * const summaries = rows.map((row) => bodyOf('summary', row))
 */
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
