/** Audits a run: everything that must be true after it, whatever the schedule was. */

import type { LiveEvent, SummaryRecord, View } from 'throughline'
import type { Finding } from '../kernel/finding.ts'
import {
  type MadeContext,
  numberOf,
  type Observed,
  type ObservedEngine,
  type TriedCommit,
} from './observed.ts'

export function audit(observed: Observed): readonly Finding[] {
  return [
    ...observed.errors.map((detail) => ({ rule: 'error', detail })),
    ...auditLog(observed),
    ...auditSummaries(observed),
    ...auditContexts(observed),
    ...auditAsking(observed),
  ]
}

/** Model calls: every start has one end, one at a time, and all calls are accounted for. */
function auditAsking({ engines, calls, commits, asking }: Observed): readonly Finding[] {
  const findings = engines.flatMap(auditEngine)
  const accounted = new Map<number, number>()
  let kept = 0
  for (const { command, outcome, engine } of commits) {
    const { summarized } = command.changes
    if (outcome.kind !== 'committed' || summarized === undefined) continue
    const { length } = summarized.asking.spent
    const attempts = summarized.summarization.attempts.length
    if (length < kept + attempts)
      findings.push({ rule: 'spending', detail: `${kept} plus ${attempts} calls became ${length}` })
    accounted.set(engine, (accounted.get(engine) ?? 0) + length - kept)
    kept = length
  }
  if (kept !== (asking?.spent.length ?? 0))
    findings.push({ rule: 'spending', detail: `${kept} calls differ from the stored ones` })
  for (const { number, fate } of engines) {
    // An engine that was discarded, or closed while a caller waited, could not record its calls.
    if (fate !== 'lives' || number < 0) continue
    const called = calls.filter(({ engine }) => engine === number).length
    if (called !== (accounted.get(number) ?? 0))
      findings.push({
        rule: 'spending',
        detail: `engine ${number}: ${called} calls, ${accounted.get(number) ?? 0} recorded`,
      })
  }
  return findings
}

export function auditEngine({ number, fate, live }: ObservedEngine): readonly Finding[] {
  const findings: Finding[] = []
  const open = { summarization: 0, 'model-attempt': 0 }
  const note = (rule: string, detail: string) =>
    findings.push({ rule, detail: `engine ${number}: ${detail}` })
  for (const { kind } of live) {
    if (kind === 'context-warning') continue
    const what = whatOf(kind)
    open[what] += kind.endsWith('-started') ? 1 : -1
    if (open[what] > 1) note('two-at-once', `two of ${what}`)
    if (open[what] < 0) note('ends', `a ${what} ends without a start`)
  }
  if (fate === 'crashed') return findings
  for (const [what, count] of Object.entries(open))
    if (count > 0) note('ends', `${count} of ${what} without an end`)
  return findings
}

function whatOf(kind: LiveEvent['kind']): 'summarization' | 'model-attempt' {
  return kind.startsWith('model-attempt') ? 'model-attempt' : 'summarization'
}

/**
 * Contexts and their views: they fit, list every omission, and cover the summarized messages, by the
 * summary up to its end and by rules from there.
 */
function auditContexts(observed: Observed): readonly Finding[] {
  const { contexts, commits, log, views, summaries } = observed
  const ends = new Map(summaries.map(({ id, covers }) => [id, covers.to]))
  // Pins are in a block of their own.
  const pinned = new Set(commits.flatMap(({ command }) => command.changes.pins ?? []))
  return [
    ...contexts.flatMap((made) => auditContext(made, log.length, pinned)),
    ...auditViews(commits),
    ...views.flatMap((view) => auditView(view, ends, log.length)),
  ]
}

function auditContext(
  { engine, model, acknowledged, context }: MadeContext,
  head: number,
  pinned: ReadonlySet<number>,
): readonly Finding[] {
  const findings: Finding[] = []
  const note = (rule: string, detail: string) =>
    findings.push({ rule, detail: `context of ${model} by engine ${engine}: ${detail}` })
  if (context.tokens > context.available)
    note('budget', `${context.tokens} of ${context.available} tokens`)
  const shown = context.messages.flatMap(({ seq }) => (seq === null ? [] : [seq]))
  const spans = context.omitted.flatMap(({ span }) => (span === null ? [] : [span]))
  const places = new Set(shown)
  for (const { from, to } of spans) for (let at = from; at < to; at += 1) places.add(at)
  const end = Math.max(-1, ...places) + 1
  const missing = Array.from({ length: end }, (_, at) => at).filter(
    (at) => !places.has(at) && !pinned.has(at),
  )
  if (missing.length > 0) note('gap', `${missing} of ${end} are neither shown nor listed`)
  if (end < acknowledged || end > head)
    note('gap', `it ends at ${end}, ${acknowledged} were acknowledged, the head is ${head}`)
  const recent = context.messages.filter(({ slot }) => slot === 'recent' || slot === 'current')
  const order = recent.flatMap(({ seq }) => (seq === null ? [] : [seq]))
  if (order.some((seq, index) => seq < (order[index - 1] ?? 0))) note('order', order.join())
  return findings
}

function auditViews(commits: readonly TriedCommit[]): readonly Finding[] {
  const findings: Finding[] = []
  const ends = new Map<string, number>()
  let version: number | null = null
  for (const { command, outcome, asking, engine } of commits) {
    if (outcome.kind !== 'committed') continue
    const { changes, expectedVersion } = command
    if (version !== null && expectedVersion !== version)
      findings.push({
        rule: 'version',
        detail: `engine ${engine} committed on version ${expectedVersion}, but it was ${version}`,
      })
    version = expectedVersion + 1
    const record = changes.summarized?.record ?? null
    if (record !== null) ends.set(record.id, record.covers.to)
    const { view, model } = changes.view ?? { view: null, model: '' }
    if (view === null) continue
    if (!asking.includes(model))
      findings.push({ rule: 'view', detail: `no request asked for a context of ${model}` })
    findings.push(...auditView(view, ends, outcome.conversation.head))
  }
  return findings
}

function auditView(
  { line, history, epoch }: View,
  ends: ReadonlyMap<string, number>,
  head: number,
): readonly Finding[] {
  const findings: Finding[] = []
  const note = (rule: string, detail: string) =>
    findings.push({ rule, detail: `view of epoch ${epoch} with line ${line}: ${detail}` })
  if (line > head) note('view', `the log ends at ${head}`)
  if (history === null) return findings
  if (history.ledgerTo < line) note('uncovered', `rules cover up to ${history.ledgerTo}`)
  const { written } = history
  if (written === null) return findings
  if (written.to > line) note('overlap', `its summary covers up to ${written.to}`)
  if (ends.get(written.id) !== written.to)
    note('view', `its summary to ${written.to} is stored as one to ${ends.get(written.id)}`)
  return findings
}

/** The log: nothing lost, nothing duplicated, nothing out of order. */
function auditLog({ log, appends }: Observed): readonly Finding[] {
  const findings: Finding[] = []
  const numbers = log.map(numberOf)
  for (const [index, { seq }] of log.entries())
    if (seq !== index) findings.push({ rule: 'order', detail: `position ${seq} is at ${index}` })
  const places = new Map<number, number>()
  for (const [place, number] of numbers.entries()) {
    if (number === null) continue
    if (places.has(number)) findings.push({ rule: 'doubled', detail: `message ${number}` })
    places.set(number, place)
  }
  for (const { numbers: batch } of appends) {
    const at = batch.map((number) => places.get(number))
    if (at.includes(undefined)) findings.push({ rule: 'lost', detail: `of messages ${batch}` })
    else if (at.some((place, index) => place !== (at[0] ?? 0) + index))
      findings.push({ rule: 'order', detail: `messages ${batch} are at ${at}` })
  }
  // Sequential appends of an actor keep their order.
  for (const [actor, own] of Map.groupBy(appends, (each) => each.actor)) {
    const at = own.map(({ numbers: batch }) => places.get(batch[0] ?? 0) ?? 0)
    if (at.some((place, index) => place < (at[index - 1] ?? 0)))
      findings.push({ rule: 'order', detail: `messages of actor ${actor} are at ${at}` })
  }
  return findings
}

/**
 * Summaries: each covers the log from its start, continues where its parent ends, describes only
 * messages that the model has seen, and repeats no work.
 */
type Audited = Pick<Observed, 'summaries' | 'log' | 'commits' | 'calls'>

export function auditSummaries(observed: Audited): readonly Finding[] {
  const { summaries, log, commits } = observed
  const byId = new Map(summaries.map((summary) => [summary.id, summary]))
  const findings: Finding[] = []
  for (const summary of summaries) {
    const { covers, added, parentId, chain } = summary
    const note = (rule: string, detail: string) =>
      findings.push({ rule, detail: `${spansOf(summary)}: ${detail}` })
    const parent = parentId === null ? null : byId.get(parentId)
    if (covers.from !== 0 || covers.to !== added.to || covers.to > log.length)
      note('covers', `of ${log.length} messages`)
    if (log[covers.to - 1]?.hashes.chain !== chain) note('covers', 'another history')
    if (parent === undefined) note('chain', 'its parent is missing')
    const from = parent?.covers.to ?? 0
    if (added.from !== from && !isAfresh(summary))
      note('chain', `its parent ends at ${parent?.covers.to}`)
    if (added.to <= added.from) note('chain', 'it adds nothing')
  }
  for (const [spans, same] of Map.groupBy(
    summaries.filter((each) => !isAfresh(each)),
    spansOf,
  ))
    if (same.length > 1)
      findings.push({ rule: 'covered-twice', detail: `${spans}, ${same.length} times` })
  for (const { command, outcome, callsSoFar } of commits) {
    const record = command.changes.summarized?.record ?? null
    if (outcome.kind !== 'committed' || record === null) continue
    const unseen = unseenOf(record, observed, callsSoFar)
    if (unseen.length > 0)
      findings.push({ rule: 'unseen', detail: `${spansOf(record)}: no model saw ${unseen}` })
  }
  return findings
}

/** Whether it was made from the messages although a summary existed. */
function isAfresh({ added, parentId }: SummaryRecord): boolean {
  return added.from === 0 && parentId !== null
}

function spansOf({ added, parentId, covers }: SummaryRecord): string {
  return `summary of [${added.from}, ${covers.to}) after ${parentId?.slice(0, 6) ?? 'none'}`
}

/** Described positions that no request has shown to a model; pins are never sent. */
function unseenOf(
  { added }: SummaryRecord,
  { log, calls, commits }: Audited,
  callsSoFar: number,
): readonly number[] {
  const shown = calls.slice(0, callsSoFar)
  const pinned = new Set(commits.flatMap(({ command }) => command.changes.pins ?? []))
  return log.slice(added.from, added.to).flatMap((message) => {
    const number = numberOf(message)
    return number === null ||
      pinned.has(message.seq) ||
      shown.some(({ numbers }) => numbers.has(number))
      ? []
      : [message.seq]
  })
}
