/**
 * The summaries that one call has requested so far. They are paid for: if another commit was
 * faster, the summary is still kept, and its calls are added to those of other processes.
 */
import { loadSummaryBefore } from '../derived/rows.ts'
import type { ConversationState } from '../derived/state.ts'
import { type AskState, newAskState } from '../domain/model-calls.ts'
import type { SummarizationStop, SummaryRecord } from '../domain/summary.ts'
import type { ContextRequest } from '../flow/check/check-request.ts'
import { isByPerson } from '../flow/history/styled-summary.ts'
import type { ContextResult } from '../flow/project/records.ts'
import type { DerivedReader } from '../flow/read/readers.ts'
import { spentByAttempts, spentInLastHour } from '../flow/summarize/ask-models.ts'
import type { SummaryOutcome, SummaryWriter } from '../flow/summarize/summary-writer.ts'
import type { StoredConversation } from '../ports/store.ts'
import { systemTimer } from '../system.ts'
import type { Snapshot, SummaryAttempts } from './load-snapshot.ts'
import { neverAborted, type Runtime } from './runtime.ts'
import { conversationKey, type SummaryLock } from './summary-locks.ts'

export function withAttempt(
  before: SummaryAttempts,
  written: SummaryOutcome | null,
  rewrites: number,
): SummaryAttempts {
  if (written === null) return before
  const spent = [...before.spent, ...spentByAttempts(written.summarization.attempts)]
  return { written: mergeSummaries(before.written, written), spent, rewrites }
}

/** Only one of two summaries is stored, so the second becomes a child of the first one's parent. */
function mergeSummaries(first: SummaryOutcome | null, second: SummaryOutcome): SummaryOutcome {
  const [before, record] = [first?.record ?? null, second.record]
  if (before === null || record === null || record.parentId !== before.id) return second
  const { parentId, depth, generation, version, added } = before
  const span = { from: added.from, to: record.added.to }
  return { ...second, record: { ...record, parentId, depth, generation, version, added: span } }
}

/** The state of asking models with this call; `stored` is without it. */
export function askStateWith(stored: AskState | null, attempts: SummaryAttempts, now: number) {
  if (attempts.written === null) return stored
  const { breaker, failedTo } = attempts.written.state
  return {
    breaker,
    failedTo,
    spent: [...spentInLastHour(stored?.spent ?? [], now), ...attempts.spent],
  }
}

/** Drops the paid summary where the faster commit has another summary or another history. */
export async function stillValid(snapshot: Snapshot): Promise<Snapshot> {
  const { attempts } = snapshot
  if (attempts.written === null) return snapshot
  const rewrites = { before: attempts.rewrites, now: rewritesOf(snapshot) }
  const written = await unlessSuperseded(snapshot, unlessRewritten(attempts.written, rewrites))
  return { ...snapshot, attempts: { ...attempts, written } }
}

export function withPaidSummary(snapshot: Snapshot, result: ContextResult | null): Snapshot {
  const written = result?.outcome.summaryOutcome ?? null
  return { ...snapshot, attempts: withAttempt(snapshot.attempts, written, rewritesOf(snapshot)) }
}

function rewritesOf({ state }: Snapshot): number {
  return state?.conversation.rewrites ?? 0
}

/**
 * A call that has a summary requests no other one: an extension of the first would name a parent
 * that is not stored. Later messages are summarized by rules, or the next time.
 */
function lockUnlessPaid({ written }: SummaryAttempts, take: SummaryLock['take']) {
  const isPaid =
    (written !== null && written.record !== null) || written?.summarization.why === 'superseded'
  return isPaid ? async () => 'waited' as const : take
}

/** A receipt names the calls that led to it, even those of an earlier attempt. */
export function withEarlierCalls(result: ContextResult, { written }: SummaryAttempts) {
  const { compacted, outcome } = result
  if (compacted === null || written === null || outcome.summaryOutcome !== null) return result
  return { ...result, compacted: { ...compacted, summarization: written.summarization } }
}

/** Keeps only the cost of the request. */
export function withoutChanges(result: ContextResult, state: ConversationState | null) {
  const outcome = { ...result.outcome, view: state?.view ?? null, facts: null }
  return { ...result, outcome, compacted: null }
}

/** Drops the record where another summary covers as many messages. */
export async function unlessSuperseded(
  chat: StoredConversation,
  written: SummaryOutcome,
): Promise<SummaryOutcome> {
  const { record } = written
  if (record === null || !(await isSuperseded(chat, record))) return written
  return withoutRecord(written, 'superseded')
}

function withoutRecord(written: SummaryOutcome, why: SummarizationStop): SummaryOutcome {
  const summarization = { ...written.summarization, summaryId: null, why }
  return { ...written, record: null, summarization }
}

async function isSuperseded({ store, id }: StoredConversation, record: SummaryRecord) {
  const { covers, added, parentId } = record
  const place = covers.to
  const other = await loadSummaryBefore(store, { id, place })
  const isCovered = other !== null && other.covers.to >= place
  const isAfresh = added.from === 0 && parentId !== null
  if (isAfresh) return isCovered && isByPerson(other) && other.id !== parentId
  if (isCovered || added.from === 0) return isCovered
  return (await loadSummaryBefore(store, { id, place: added.from }))?.id !== parentId
}

/** Drops the record where the conversation was rewritten since. */
export function unlessRewritten(
  written: SummaryOutcome,
  rewrites: { readonly before: number; readonly now: number },
): SummaryOutcome {
  if (written.record === null || rewrites.before === rewrites.now) return written
  return withoutRecord(written, 'history-changed')
}

/** Adds a summary that is not committed yet, so that it is not paid for twice. */
export function withUncommittedSummary(
  stored: DerivedReader,
  { written }: SummaryAttempts,
): DerivedReader {
  const record = written?.record ?? null
  if (record === null) return stored
  return {
    ...stored,
    summaryBefore: async (place) => {
      const kept = await stored.summaryBefore(place)
      if (record.covers.to > place) return kept
      return kept !== null && kept.covers.to > record.covers.to ? kept : record
    },
  }
}

/** The writer of one request, with the costs of this conversation so far; null without models. */
export function writerFor(
  { id, state, request, attempts, now }: Writing,
  take: SummaryLock['take'],
  runtime: Runtime,
): SummaryWriter | null {
  const styles = runtime.styles.filter(({ models }) => models.length > 0)
  if (styles.length === 0) return null
  return {
    styles,
    state: askStateWith(state?.asking ?? null, attempts, now) ?? newAskState,
    clock: { now: runtime.now },
    timer: systemTimer,
    signal: request.signal ?? neverAborted,
    takeLock: lockUnlessPaid(attempts, take),
    emptyAt: runtime.emptyJobs.get(conversationKey(runtime.tenant, id)) ?? null,
    meterFor: runtime.meter,
    reportEvent: (event) => runtime.reportEvent(event, id),
  }
}

interface Writing extends Pick<Snapshot, 'id' | 'state' | 'attempts' | 'now'> {
  readonly request: Pick<ContextRequest, 'signal'>
}
