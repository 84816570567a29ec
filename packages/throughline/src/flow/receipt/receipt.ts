import { breakerState } from '../../domain/model-calls.ts'
import type { Compacted, ShownKind } from '../../domain/receipt.ts'
import { noAccount, type Summarization, type SummaryRecord } from '../../domain/summary.ts'
import type { View } from '../../domain/view.ts'
import type {
  ContextInputs,
  ContextResult,
  RenderedRequest,
  ViewOutcome,
} from '../project/records.ts'

/** `version` changes when the rules would render another history block from the same messages. */
const rules = { summarizer: 'rules', version: 1 } as const

export function describeCompaction(
  input: Pick<ContextInputs, 'log' | 'view' | 'lastRequest' | 'writer' | 'coveredTo'>,
  { view, epochCause, shown, facts, summary, summaryOutcome }: ViewOutcome,
  { context, sent }: Pick<ContextResult, 'context' | 'sent'>,
): Compacted | null {
  if (epochCause === null || view === null) return null
  const { log, view: before, lastRequest } = input
  const { epoch, line, keeps } = view
  const { decision, model } = context
  return {
    model,
    epoch,
    cause: epochCause,
    decision,
    covered: { from: Math.min(before?.line ?? 0, line), to: line },
    line,
    head: log.head,
    keeps,
    stubbed: sent.stubbed,
    tokensBefore: decision.figures.tokens ?? lastRequest?.tokens ?? null,
    tokensAfter: sent.tokens,
    tokensByKind: tokensByKind(view, shown, { context, sent }),
    ledger: {
      shown: view.history?.entriesShown ?? 0,
      entries: facts?.ledger.entries.length ?? 0,
      ...(facts?.ledger.from !== undefined && { from: facts.ledger.from }),
    },
    redacted: facts?.redacted ?? 0,
    madeBy: summary?.madeBy ?? rules,
    summarization:
      summaryOutcome?.summarization ??
      preparedSummarization(summary, before) ??
      skippedSummarization(view, summary, input),
  }
}

/** A background summary is reported with the first compaction that shows it. */
function preparedSummarization(summary: SummaryRecord | null, before: View | null) {
  if (summary === null || summary.id === before?.history?.written?.id) return null
  const { id, madeBy, depth, generation, added, covers, account } = summary
  const { summarizer: style } = madeBy
  const figures = { summaryId: id, style, depth, generation, asked: added, coveredTo: covers.to }
  return { ...figures, why: null, ...account }
}

/** The reason why no model was asked, if the circuit breaker is open. */
function skippedSummarization(
  { line }: View,
  summary: SummaryRecord | null,
  { writer, coveredTo }: Pick<ContextInputs, 'writer' | 'coveredTo'>,
): Summarization | null {
  const from = Math.max(summary?.covers.to ?? 0, coveredTo)
  if (writer === null || from >= line) return null
  if (breakerState(writer.state.breaker, writer.clock.now()) !== 'open') return null
  const style = writer.styles[0]?.style.name ?? 'rules'
  const figures = { summaryId: null, style, depth: 0, generation: 0, asked: { from, to: line } }
  return { ...figures, coveredTo: from, why: 'breaker-open', ...noAccount }
}

function tokensByKind(
  view: View,
  { rendered }: RenderedRequest,
  { context, sent }: Pick<ContextResult, 'context' | 'sent'>,
): Compacted['tokensByKind'] {
  const stubs = new Set(view.stubs.map(({ seq }) => seq))
  // The view stores the stub of the next message separately.
  if (view.next !== null) stubs.add(view.next.seq)
  const tokens: Record<string, number> = {}
  let remainingTokens = sent.tokens
  const add = (kind: ShownKind, count: number) => {
    tokens[kind] = (tokens[kind] ?? 0) + count
    remainingTokens -= count
  }
  for (const { kind, tokens: count } of context.sections)
    if (kind === 'system' || kind === 'tools') add(kind, count)
  for (const { message, size } of rendered) {
    const { seq, slot } = message
    if (seq === null) add(slot, size.tokens)
    else if (stubs.has(seq)) add('stubs', size.tokens)
    else add(seq < view.line ? 'kept' : slot, size.tokens)
  }
  if (remainingTokens > 0) add('frames', remainingTokens)
  return tokens
}
