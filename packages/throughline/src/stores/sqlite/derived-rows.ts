/**
 * The JSON bodies of derived state, read back. What is not of the shape that we wrote
 * was changed by somebody else.
 */
import type { AskState } from '../../domain/asking.ts'
import type { Calibration } from '../../domain/calibration.ts'
import { type CompactionControl, noControl } from '../../domain/compaction.ts'
import type { DigestRecord } from '../../domain/digest-record.ts'
import type { Fact, MessageDigest } from '../../domain/fact.ts'
import type { Seq } from '../../domain/ids.ts'
import type { Insert } from '../../domain/insert.ts'
import type { Ledger, LedgerEntry } from '../../domain/ledger.ts'
import type { RequestRecord } from '../../domain/request-record.ts'
import type { SummaryRecord } from '../../domain/summary.ts'
import type { StepRecord, TurnRecord } from '../../domain/turn-record.ts'
import type { View } from '../../domain/view.ts'
import type { FactsBody } from '../facts-body.ts'
import { type Cell, changedOutside, jsonCell } from './cells.ts'

/** As JSON, because a model's id may be any text and a column keeps only well-formed text. */
export function modelName(model: string): string {
  return JSON.stringify(model)
}

/** Any text, kept as JSON. */
export function nameCell(cell: Cell, what: string): string {
  const name = jsonCell<string>(cell, what, isText)
  if (name === null) throw changedOutside(what)
  return name
}

export function pinsOf(cell: Cell): readonly Seq[] {
  return jsonCell<readonly Seq[]>(cell, 'the pins', isPlaces) ?? []
}

/** None is null: most conversations have no pins. */
export function pinsCell(pins: readonly Seq[]): string | null {
  return pins.length === 0 ? null : JSON.stringify(pins)
}

export function controlOf(cell: Cell): CompactionControl {
  const control = jsonCell<CompactionControl>(
    cell,
    'the control of compaction',
    ({ mode, asked, suspended }) =>
      mode !== undefined &&
      asked !== undefined &&
      (suspended === undefined || Array.isArray(suspended)),
  )
  // Files that were written before a compaction could be undone have less.
  return { ...noControl, suspended: [], ...control }
}

/** None is null, as with pins. */
export function controlCell(control: CompactionControl): string | null {
  const { mode, asked, suspended } = control
  const isNone = mode === null && asked === null && suspended.length === 0
  return isNone ? null : JSON.stringify(control)
}

export function viewOf(cell: Cell): View | null {
  return jsonCell<View>(
    cell,
    'a view',
    ({ epoch, line, keeps, stubs }) =>
      isNumber(epoch) && isNumber(line) && isPlaces(keeps) && Array.isArray(stubs),
  )
}

/** What was recalled in one epoch. */
export function insertsIn(cell: Cell): readonly Insert[] | null {
  return jsonCell<readonly Insert[]>(cell, 'what was recalled', (inserts) =>
    areAll(inserts, isInsert),
  )
}

export function insertOf(cell: Cell): Insert | null {
  return jsonCell<Insert>(cell, 'what was recalled', isInsert)
}

function isInsert({ epoch, before, of, text, sources }: Insert): boolean {
  return [epoch, before].every(isNumber) && [of, text].every(isText) && Array.isArray(sources)
}

/** What a conversation remembers of asking models; null as long as none was asked. */
export function askingOf(cell: Cell): AskState | null {
  return jsonCell<AskState>(
    cell,
    'what was spent on models',
    ({ breaker, spent }) =>
      isNumber(breaker.ineffective) &&
      areAll(spent, ({ at, usd }) => isNumber(at) && isNumber(usd)),
  )
}

export function summaryOf(cell: Cell): SummaryRecord | null {
  return jsonCell<SummaryRecord>(
    cell,
    'a summary',
    ({ id, text, covers, keyPoints, madeBy, depth, version, trust }) =>
      [id, text, madeBy.summarizer].every(isText) &&
      [covers.to, depth, version].every(isNumber) &&
      areAll(keyPoints, isText) &&
      isTrust(trust),
  )
}

export function digestOf(cell: Cell): DigestRecord | null {
  return jsonCell<DigestRecord>(
    cell,
    'a digest',
    ({ seq, text, madeBy, createdAt }) =>
      [text, madeBy.model].every(isText) && [seq, createdAt].every(isNumber),
  )
}

export function turnOf(cell: Cell): TurnRecord | null {
  return jsonCell<TurnRecord>(
    cell,
    'a turn',
    ({ turn, messages, user, assistant, steps, knows }) =>
      [turn, messages.from, messages.to].every(isNumber) &&
      [user, assistant].every(isText) &&
      [steps, knows.history, knows.entities].every(Array.isArray),
  )
}

export function stepOf(cell: Cell): StepRecord | null {
  return jsonCell<StepRecord>(
    cell,
    'a step',
    ({ turn, step, description, outcome, result }) =>
      [turn, step].every(isNumber) && [description, outcome].every(isText) && result !== undefined,
  )
}

export function calibrationOf(cell: Cell): Calibration | null {
  return jsonCell<Calibration>(
    cell,
    'a calibration',
    ({ priorFactor, observed, growths }) =>
      isNumber(priorFactor) && isNumber(observed) && Array.isArray(growths),
  )
}

export function requestOf(cell: Cell): RequestRecord | null {
  return jsonCell<RequestRecord>(
    cell,
    'a request',
    ({ fingerprint, epoch, tokens, prefix }) =>
      typeof fingerprint === 'string' &&
      isNumber(epoch) &&
      isNumber(tokens) &&
      typeof prefix?.chain === 'string',
  )
}

export function factsOf(cell: Cell): FactsBody | null {
  return jsonCell<FactsBody>(
    cell,
    'facts of a message',
    ({ trust, facts, digest }) =>
      isTrust(trust) && areAll(facts, isFact) && (digest === null || isDigest(digest)),
  )
}

export function ledgerOf(cell: Cell): Ledger | null {
  return jsonCell<Ledger>(
    cell,
    'a ledger',
    ({ to, entries }) => isNumber(to) && areAll(entries, isLedgerEntry),
  )
}

function isFact({ kind, key, label, value, uses }: Fact): boolean {
  return [kind, key, label, value].every(isText) && isNumber(uses)
}

function isDigest({ by, text }: MessageDigest): boolean {
  return isTrust(by) && isText(text)
}

function isLedgerEntry(entry: LedgerEntry): boolean {
  const { key, kind, label, value, status, trust, namedBy, sources, lastSeq, uses, counts } = entry
  return (
    [key, kind, label, value, status].every(isText) &&
    [trust, namedBy].every(isTrust) &&
    isNumber(lastSeq) &&
    isPlaces(sources) &&
    [uses.user, uses.assistant, uses.tool].every(isNumber) &&
    Object.values(counts).every(isNumber)
  )
}

export function isNumber(value: unknown): boolean {
  return typeof value === 'number'
}

export function isText(value: unknown): boolean {
  return typeof value === 'string'
}

/** A word that is none of ours would outrank or be outranked by nothing. */
function isTrust(value: unknown): boolean {
  return value === 'user' || value === 'assistant' || value === 'tool'
}

export function areAll<Item>(items: readonly Item[], isSound: (item: Item) => boolean): boolean {
  return Array.isArray(items) && items.every(isSound)
}

export function isPlaces(value: unknown): boolean {
  return Array.isArray(value) && value.every(isNumber)
}
