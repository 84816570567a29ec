/**
 * The differences between kinds of derived rows: what a fork inherits, how many are kept, and what
 * remains when messages change. Every store uses this table, so that stores cannot differ.
 */
import { assertInvariant, INVARIANT } from '../invariants.ts'
import { bodyOf } from './derived-body.ts'
import type { DerivedBodies, DerivedKind, DerivedRow } from './derived-row.ts'
import { ForgetTurns, type KeptKeys } from './forget-turns.ts'
import type { Seq } from './ids.ts'
import type { JsonValue } from './json.ts'
import { keptRows } from './kept-rows-data.ts'
import type { Expansion } from './receipt.ts'
import type { Span } from './span.ts'
import type { Summarization } from './summary.ts'
import type { View } from './view.ts'

/** The rules of one kind. */
export interface KindRules {
  /**
   * What a fork inherits from its source. `none`: nothing. `rows`: rows before its point whose
   * position and key it has not written itself. `nearest`: while it has no rows of its own, those
   * whose bound is not after its point. `snapshot`: the positions at the time of the fork, up to
   * the last whose bound is not after its point.
   */
  readonly forks: 'none' | 'rows' | 'nearest' | 'snapshot'
  /** Null for all. */
  readonly kept: number | null
  /**
   * What a position must be. `message`: the place of an existing message. `next`: one more than the
   * last. `running`: the same, but given by the store; old rows may be removed some at a time.
   */
  readonly positions: 'any' | 'message' | 'next' | 'running'
  /**
   * What remains when messages change: all rows, none, those at other places, or what the function
   * returns for each row, in order of position. It returns an unchanged row itself.
   */
  readonly remains:
    | ('all' | 'none' | 'other-places')
    | ((row: DerivedRow, change: MessageChange) => DerivedRow | null)
  /** `remains` needs no bodies. */
  readonly remainsBare?: boolean
  /** Adds the value of `RecordCommand.annotate` to a row. */
  readonly withAnnotation?: (row: DerivedRow, value: JsonValue) => DerivedRow
}

/**
 * The changed messages of one conversation: a store passes it to `remains`.
 *
 * @example
 * const change = new MessageChange([12, 13], 'kept') // places, and whether keys stay
 */
export class MessageChange {
  readonly places: readonly Seq[]
  readonly turns: ForgetTurns
  /** Turns whose content is gone; only their place remains. */
  readonly emptied = new Set<number>()

  constructor(places: readonly Seq[], keys: KeptKeys) {
    this.places = places
    this.turns = new ForgetTurns(places, keys)
  }

  get first(): Seq {
    return this.places[0] ?? Number.MAX_SAFE_INTEGER
  }
}

const defaultRules = { forks: 'none', kept: null, positions: 'any', remains: 'all' } as const

/**
 * The rules of every kind. Stores call `remains` in this order.
 *
 * @example
 * const { kept } = derivedKinds[row.kind]
 */
export const derivedKinds: Readonly<Record<DerivedKind, KindRules>> = {
  facts: { ...defaultRules, forks: 'rows', positions: 'message', remains: 'other-places' },
  digest: { ...defaultRules, forks: 'rows', positions: 'message', remains: 'other-places' },
  ledger: { ...defaultRules, remains: 'none' },
  // The model may have read messages beyond those that it summarizes, up to the head.
  summary: {
    ...defaultRules,
    forks: 'nearest',
    remains: (row, { first }) => (bodyOf('summary', row).head > first ? null : row),
  },
  view: {
    ...defaultRules,
    kept: keptRows.views,
    remains: (row, { first }) => (viewDependsOn(bodyOf('view', row), first) ? null : row),
  },
  version: {
    ...defaultRules,
    kept: keptRows.versions,
    remains: (row, { first }) => {
      const view = bodyOf('version', row)
      return view !== null && viewDependsOn(view, first) ? null : row
    },
  },
  receipt: {
    ...defaultRules,
    kept: keptRows.receipts,
    remains: receiptRemains,
    withAnnotation: withExpansion,
  },
  request: { ...defaultRules, kept: keptRows.requests, positions: 'running' },
  // They may contain words of messages; the next request stores its own again.
  system: { ...defaultRules, kept: keptRows.prompts, remains: 'none' },
  tools: { ...defaultRules, kept: keptRows.prompts, remains: 'none' },
  calibration: { ...defaultRules, kept: keptRows.calibrations },
  insert: {
    ...defaultRules,
    kept: keptRows.inserts,
    // It describes a message, or was recalled for it.
    remains: (row, { places }) => {
      const { before, sources } = bodyOf('insert', row)
      const describes = (seq: Seq) => sources.some(({ from, to }) => seq >= from && seq < to)
      return places.some((seq) => before === seq || describes(seq)) ? null : row
    },
  },
  turn: { ...defaultRules, forks: 'snapshot', positions: 'next', remains: turnRemains },
  step: {
    ...defaultRules,
    forks: 'snapshot',
    remains: (row, { emptied }) => (emptied.has(row.position) ? null : row),
    remainsBare: true,
  },
  asking: defaultRules,
}

/** The names of all kinds, in the order of the table. See `derivedKinds`. */
export const kindNames = Object.keys(derivedKinds) as readonly DerivedKind[]

/** Figures stay; text of the conversation is removed. */
function receiptRemains(row: DerivedRow, { first }: MessageChange): DerivedRow {
  const { receipt, followUp, waiting } = bodyOf('receipt', row)
  const isOutdated = receipt.head > first
  // The follow-up was computed from a message that has changed.
  const isFollowUpOutdated = followUp !== null && followUp.looked.to > first
  if (!isOutdated && !isFollowUpOutdated) return row
  const summarization = receipt.summarization && wordless(receipt.summarization)
  const body: DerivedBodies['receipt'] = {
    receipt: isOutdated ? { ...receipt, summarization } : receipt,
    followUp: isFollowUpOutdated ? null : followUp,
    waiting: isOutdated ? null : waiting,
  }
  return { ...row, bound: isOutdated ? null : row.bound, body: JSON.stringify(body) }
}

function turnRemains(row: DerivedRow, change: MessageChange): DerivedRow {
  const changed = change.turns.take(bodyOf('turn', row))
  if (changed?.forgotten) change.emptied.add(changed.turn)
  return changed === null ? row : { ...row, body: JSON.stringify(changed) }
}

/** Each span once, with how often. */
function withExpansion(row: DerivedRow, value: JsonValue): DerivedRow {
  const body = bodyOf('receipt', row)
  if (body.waiting === null) return row
  // Only `conversation/expand.ts` records values with receipts.
  const { from, to } = value as unknown as Span
  const waiting = { ...body.waiting, expanded: countExpansion(body.waiting.expanded, { from, to }) }
  return { ...row, body: JSON.stringify({ ...body, waiting }) }
}

function countExpansion(expanded: readonly Expansion[], span: Span): readonly Expansion[] {
  const index = expanded.findIndex(
    (each) => each.span.from === span.from && each.span.to === span.to,
  )
  const known = expanded[index]
  if (known !== undefined) return expanded.with(index, { ...known, times: known.times + 1 })
  return expanded.length < keptRows.expansions ? [...expanded, { span, times: 1 }] : expanded
}

/**
 * Throws for a row that no store accepts. Such a row is a bug of the caller and is not written.
 *
 * @example
 * checkRow(row, { head: log.head, last: 7 })
 */
export function checkRow(
  { kind, position, bound }: Pick<DerivedRow, 'kind' | 'position' | 'bound'>,
  { head, last }: { readonly head: Seq; readonly last: number },
): void {
  const { positions } = derivedKinds[kind]
  const isWhole = Number.isInteger(position) && position >= 0
  const isThere = positions !== 'message' || position < head
  assertInvariant(
    isWhole && isThere,
    INVARIANT.dense,
    // A row ahead of the log would later count as the row of another message.
    `${kind} at ${position}, where there are ${head} messages`,
  )
  if (positions !== 'next') return
  const isNext = position === last + 1 && bound !== null && bound <= head
  assertInvariant(
    isNext,
    INVARIANT.dense,
    `${kind} ${position} up to message ${bound}, after ${kind} ${last} of ${head} messages`,
  )
}

/**
 * Whether a view depends on a message and is dropped when that changes. It depends on messages
 * before its line and, through its ledger, on all that existed when it was made. Later ones are
 * read from the log.
 */
function viewDependsOn({ line, stubs, history, next }: View, seq: Seq): boolean {
  if (line > seq || next?.seq === seq || stubs.some((stub) => stub.seq === seq)) return true
  // A stub may show a file as another message had it.
  return history === null ? stubs.length > 0 : history.ledgerTo > seq
}

/** Without text of the conversation or of the models. */
function wordless(summarization: Summarization): Summarization {
  const attempts = summarization.attempts.map((attempt) => {
    const { outcome } = attempt
    if (outcome.kind === 'refused')
      return { ...attempt, outcome: { ...outcome, reasons: [], excerpt: '' } }
    return outcome.kind === 'failed'
      ? { ...attempt, outcome: { ...outcome, message: '' } }
      : attempt
  })
  return { ...summarization, attempts, repairs: [], marks: [] }
}
