/**
 * Writes a model's summary from the previous one and new messages. Tries styles and models in order
 * under one limit on calls, time and money. A summary covers what the last accepted draft covers
 * (invariants 4, 8 and 11).
 *
 * Failures of models do not throw, and each start event has an end event (invariant 9).
 */
import type { FactTrust } from '../../domain/ledger.ts'
import type { ModelAttempt } from '../../domain/model-calls.ts'
import {
  type Draft,
  nextLink,
  noAccount,
  type Summarization,
  type SummaryAccount,
  type SummaryRecord,
} from '../../domain/summary.ts'
import { inputTokensOf, outputTokensOf } from '../../domain/usage.ts'
import type { StyledModels } from '../../ports/summary-style.ts'
import { draftText } from '../gate/draft-text.ts'
import { isSpokenText } from '../text/message-text.ts'
import { costOfAll } from './ask-models.ts'
import { type SummaryProgress, summarizeIteratively } from './summarize-iteratively.ts'
import { withSummaryId } from './summary-record.ts'
import {
  type MessagesToSummarize,
  messagesToSummarize,
  type SummaryOutcome,
  type SummaryTask,
} from './summary-writer.ts'

export async function writeSummary(input: SummaryTask): Promise<SummaryOutcome> {
  const { writer, base, line, decision, meter } = input
  const startedAt = writer.clock.now()
  const asked = { from: base?.covers.to ?? 0, to: line }
  writer.reportEvent({
    kind: 'summarization-started',
    model: meter.card.id,
    reason: decision.reason,
    tokensBefore: decision.figures.tokens,
    ratio: decision.figures.ratio,
    asked,
    at: startedAt,
  })
  let outcome: SummaryOutcome | null = null
  try {
    const toSummarize = await messagesToSummarize(input.log, asked)
    const progress = await summarizeByStyles(input, toSummarize)
    outcome = outcomeOf(input, toSummarize, progress, startedAt)
    return outcome
  } finally {
    const summarization = outcome?.summarization ?? thrownSummarization(input, startedAt)
    const kind = outcome === null || outcome.record === null ? 'failed' : 'finished'
    writer.reportEvent({ kind: `summarization-${kind}`, summarization })
  }
}

/** Tries the styles until one has a draft; later styles use what remains of the limits. */
async function summarizeByStyles(input: SummaryTask, toSummarize: MessagesToSummarize) {
  const [first, ...others] = input.writer.styles
  if (first === undefined) throw new Error('a writer without styles is not asked')
  let progress = await summarizeIteratively(input, first, toSummarize, null)
  for (const styled of others) {
    const isFinal = progress.why !== 'all-failed' && progress.why !== 'no-model'
    if (progress.draft !== null || isFinal) return progress
    progress = await summarizeIteratively(input, styled, toSummarize, progress)
  }
  return progress
}

function outcomeOf(
  input: SummaryTask,
  toSummarize: MessagesToSummarize,
  progress: SummaryProgress,
  startedAt: number,
): SummaryOutcome {
  const { draft, why, styled, repairs, marks, account } = progress
  const { attempts, passedOver, state } = account
  const durationMs = Math.max(0, input.writer.clock.now() - startedAt)
  const costUsd = costOfAll(attempts)
  const figures = { attempts, passedOver, repairs, marks, costUsd, durationMs }
  const record = draft && recordOf(input, toSummarize, { ...progress, draft }, figures)
  // An abort, or nothing to summarize, is no failure.
  const isFailed = draft === null && why !== 'aborted' && why !== 'nothing-to-summarize'
  return {
    decision: input.decision,
    record,
    state: { ...state, failedTo: isFailed ? input.line : null },
    summarization: { ...summarizationOf(input, record, styled.style.name), why, ...figures },
  }
}

function summarizationOf({ base, line }: SummaryTask, record: SummaryRecord | null, style: string) {
  return {
    summaryId: record?.id ?? null,
    style,
    depth: record?.depth ?? base?.depth ?? 0,
    generation: record?.generation ?? base?.generation ?? 0,
    asked: { from: base?.covers.to ?? 0, to: line },
    coveredTo: record?.covers.to ?? base?.covers.to ?? 0,
  }
}

/** For the end event if our own code threw. */
function thrownSummarization(input: SummaryTask, startedAt: number): Summarization {
  const { styles, clock } = input.writer
  const [first] = styles as readonly [StyledModels]
  const durationMs = Math.max(0, clock.now() - startedAt)
  const figures = { ...noAccount, costUsd: null, durationMs }
  return { ...summarizationOf(input, null, first.style.name), why: 'all-failed', ...figures }
}

function recordOf(
  { base, parent, log, writer, meter, sha256 }: SummaryTask,
  { originals }: MessagesToSummarize,
  { draft, styled, coveredTo, degraded, model }: SummaryProgress & { readonly draft: Draft },
  account: SummaryAccount,
): SummaryRecord {
  const { name, version, promptHash } = styled.style
  const covered = originals.filter(({ seq }) => seq < coveredTo)
  const tokens = meter.text(draftText(draft))
  const record = {
    text: draft.text,
    keyPoints: draft.keyPoints,
    facets: draft.facets,
    covers: { from: 0, to: coveredTo },
    added: { from: base?.covers.to ?? 0, to: coveredTo },
    head: log.head,
    chain: covered.at(-1)?.hashes.chain ?? base?.chain ?? '',
    // Without a base, the summary starts a new chain.
    ...nextLink(parent, base === null ? 1 : styled.depthMax),
    version: (parent?.version ?? 0) + 1,
    tokens,
    tokensUsed: (parent?.tokensUsed ?? 0) + usedTokens(account.attempts, tokens),
    madeBy: { summarizer: name, version, model: model ?? '', promptHash },
    degraded,
    trust: lowestTrust(base?.trust ?? 'user', covered),
    account,
    createdAt: writer.clock.now(),
  }
  return withSummaryId(record, sha256)
}

/** The reported tokens, and at least those of the summary. */
function usedTokens(attempts: readonly ModelAttempt[], summaryTokens: number): number {
  let reported = 0
  for (const { usage } of attempts)
    if (usage !== null) reported += (inputTokensOf(usage) ?? 0) + (outputTokensOf(usage) ?? 0)
  return Math.max(reported, summaryTokens)
}

function lowestTrust(before: FactTrust, covered: MessagesToSummarize['originals']): FactTrust {
  if (before === 'tool' || !covered.every(isSpokenText)) return 'tool'
  const isAnswered = before === 'assistant' || covered.some(({ role }) => role === 'assistant')
  return isAnswered ? 'assistant' : 'user'
}
