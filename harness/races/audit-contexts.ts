/**
 * Of contexts and the views behind them: they fit, nothing is missing from them unsaid, and
 * what lies below the line is told, by the summary up to its end and by rules from there.
 */
import type { View } from 'throughline'
import type { Finding } from '../kernel/finding.ts'
import type { MadeContext, Observed, TriedCommit } from './observed.ts'

export function auditContexts(observed: Observed): readonly Finding[] {
  const { contexts, commits, log, views, summaries } = observed
  const ends = new Map(summaries.map(({ id, covers }) => [id, covers.to]))
  // They stand in a block of their own.
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
  if (missing.length > 0) note('gap', `${missing} of ${end} are nowhere`)
  if (end < acknowledged || end > head)
    note('gap', `it ends at ${end}, ${acknowledged} were acknowledged, there are ${head}`)
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
        detail: `engine ${engine} committed on ${expectedVersion}, it was ${version}`,
      })
    version = expectedVersion + 1
    const record = changes.summarized?.record ?? null
    if (record !== null) ends.set(record.id, record.covers.to)
    const { view, model } = changes.view ?? { view: null, model: '' }
    if (view === null) continue
    if (!asking.includes(model))
      findings.push({ rule: 'view', detail: `nobody has asked for a context of ${model}` })
    findings.push(...auditView(view, ends, outcome.conversation.head))
  }
  return findings
}

function auditView(
  { line, past, epoch }: View,
  ends: ReadonlyMap<string, number>,
  head: number,
): readonly Finding[] {
  const findings: Finding[] = []
  const note = (rule: string, detail: string) =>
    findings.push({ rule, detail: `view of epoch ${epoch} with line ${line}: ${detail}` })
  if (line > head) note('view', `the log ends at ${head}`)
  if (past === null) return findings
  if (past.ledgerTo < line) note('untold', `rules tell up to ${past.ledgerTo}`)
  const { written } = past
  if (written === null) return findings
  if (written.to > line) note('overlap', `its summary tells up to ${written.to}`)
  if (ends.get(written.id) !== written.to)
    note('view', `its summary to ${written.to} is one to ${ends.get(written.id)}`)
  return findings
}
