/**
 * A summary by a model: the one before and what is new become the next. Styles in their order,
 * models in theirs, under one limit on calls, time and money; every draft passes the gate.
 * What is too much for one request is told in several, and whatever was told well stands: a
 * summary ends where the last good draft ended (invariants 4, 8 and 11).
 *
 * Nothing here throws for a model, and every start has its end (invariant 9).
 */
import type { Seq } from '../../domain/ids.ts'
import type { Summarization, SummaryAccount } from '../../domain/summary.ts'
import type { StyledModels } from '../../ports/summary-style.ts'
import { type MessagesToTell, messagesToTell } from './messages-to-tell.ts'
import { recordOf } from './record-summary.ts'
import { costOfAll } from './spent-lately.ts'
import type { SummaryOutcome, WriteSummary } from './summary-writer.ts'
import { tellInSteps } from './tell-in-steps.ts'
import type { Told } from './told.ts'

export async function writeSummary(input: WriteSummary): Promise<SummaryOutcome> {
  const { writer, base, line, decision, meter } = input
  const startedAt = writer.clock.now()
  const asked = { from: base?.covers.to ?? 0, to: line }
  writer.note({
    kind: 'summarization-started',
    model: meter.card.id,
    reason: decision.reason,
    tokensBefore: decision.figures.tokens,
    ratio: decision.figures.ratio,
    asked,
    at: startedAt,
  })
  let written: SummaryOutcome | null = null
  try {
    const toTell = await messagesToTell(input.log, asked)
    written = writtenBy(input, toTell, await tellByStyles(input, toTell), startedAt)
    return written
  } finally {
    const summarization = written?.summarization ?? brokenOff(input, startedAt)
    const kind = written === null || written.record === null ? 'failed' : 'finished'
    writer.note({ kind: `summarization-${kind}`, summarization })
  }
}

/** The first style that tells anything; the rest of the limits are for the next. */
async function tellByStyles(input: WriteSummary, toTell: MessagesToTell): Promise<Told> {
  const [first, ...others] = input.writer.styles
  if (first === undefined) throw new Error('a writer without styles is not asked')
  let told = await tellInSteps(input, first, toTell, null)
  for (const styled of others) {
    if (told.draft !== null || isFinal(told)) return told
    told = await tellInSteps(input, styled, toTell, told)
  }
  return told
}

function isFinal({ why }: Told): boolean {
  return why !== 'all-failed' && why !== 'nobody'
}

function writtenBy(
  input: WriteSummary,
  toTell: MessagesToTell,
  told: Told,
  startedAt: number,
): SummaryOutcome {
  const { base, line, writer } = input
  const account = accountOf(told, Math.max(0, writer.clock.now() - startedAt))
  const { draft } = told
  const record = draft === null ? null : recordOf(input, toTell, { ...told, draft, account })
  return {
    decision: input.decision,
    record,
    state: { ...told.state, failedTo: failedTo(told, line) },
    summarization: {
      summaryId: record?.id ?? null,
      style: told.styled.style.name,
      depth: record?.depth ?? base?.depth ?? 0,
      generation: record?.generation ?? base?.generation ?? 0,
      asked: { from: base?.covers.to ?? 0, to: line },
      toldTo: record?.covers.to ?? base?.covers.to ?? 0,
      why: told.why,
      ...account,
    },
  }
}

function accountOf(told: Told, durationMs: number): SummaryAccount {
  const { attempts, passedOver, repairs, marks } = told
  return { attempts, passedOver, repairs, marks, costUsd: costOfAll(attempts), durationMs }
}

/** Whoever gave up, or found nothing worth a word, has not failed. */
function failedTo({ draft, why }: Told, line: Seq): Seq | null {
  return draft !== null || why === 'aborted' || why === 'nothing-to-tell' ? null : line
}

/** Something of ours has thrown, and whoever follows the events is told of the end. */
function brokenOff({ base, line, writer }: WriteSummary, startedAt: number): Summarization {
  const [first] = writer.styles as readonly [StyledModels]
  return {
    summaryId: null,
    style: first.style.name,
    depth: base?.depth ?? 0,
    generation: base?.generation ?? 0,
    asked: { from: base?.covers.to ?? 0, to: line },
    toldTo: base?.covers.to ?? 0,
    why: 'all-failed',
    attempts: [],
    passedOver: [],
    repairs: [],
    marks: [],
    costUsd: null,
    durationMs: Math.max(0, writer.clock.now() - startedAt),
  }
}
