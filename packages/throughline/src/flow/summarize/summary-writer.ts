import { defaults } from '../../defaults-data.ts'
import type { Context } from '../../domain/context.ts'
import type { Decision } from '../../domain/decision.ts'
import type { SummarizationEvent } from '../../domain/event.ts'
import type { Sha256 } from '../../domain/hash.ts'
import type { Seq } from '../../domain/ids.ts'
import type { Ledger } from '../../domain/ledger.ts'
import type { KnownCalls, Message, ToolCallPart } from '../../domain/message.ts'
import type { AskLimits, AskState } from '../../domain/model-calls.ts'
import { isRemoved } from '../../domain/sealed-message.ts'
import type { Span } from '../../domain/span.ts'
import type { Summarization, SummaryRecord } from '../../domain/summary.ts'
import type { Clock } from '../../ports/clock.ts'
import type { LanguageModel } from '../../ports/language-model.ts'
import type { SourceMessage, StyledModels } from '../../ports/summary-style.ts'
import type { Timer } from '../../ports/timer.ts'
import type { ContextRequest } from '../check/check-request.ts'
import type { Meter } from '../measure/measure.ts'
import { type LogReader, readPages } from '../read/readers.ts'
import { redactLogMessage } from '../redact/redact-message.ts'
import { textPart } from '../text/sanitize-message.ts'

export interface SummaryWriter {
  /** The best first; each has models. */
  readonly styles: readonly StyledModels[]
  readonly state: AskState
  readonly clock: Clock
  readonly timer: Timer
  readonly signal: AbortSignal
  /**
   * Takes the right to have one written. `ended`: somebody else had it, and has ended: it is
   * time to look again. `waited`: they still have it, after so long; null waits for ever.
   */
  take(waitMs: number | null): Promise<'taken' | 'ended' | 'waited'>
  /** The end of the log when a job found nothing for a model to summarize; null where none did. */
  readonly emptyAt: Seq | null
  meterFor(model: string): Promise<Meter>
  note(event: SummarizationEvent): void
}

export interface WriteSummary {
  readonly request: Pick<ContextRequest, 'model' | 'system' | 'tools'>
  readonly pinned: readonly Message[]
  readonly ledger: Ledger
  readonly writer: SummaryWriter
  readonly limits: AskLimits
  readonly log: Pick<LogReader, 'read' | 'head' | 'pins'>
  readonly base: SummaryRecord | null
  readonly parent: SummaryRecord | null
  readonly line: Seq
  readonly summaryTokens: number
  /** What it should dwell on, in the words of the request; null where not given. */
  readonly instructions: string | null
  readonly meter: Meter
  readonly decision: Decision
  /** What its own model may go on from; null where that would gain nothing. */
  readonly soFar: () => Promise<ConversationSoFar | null>
  readonly sha256: Sha256
}

export interface ConversationSoFar {
  readonly context: Context
  /** Messages before it are not shown one by one. */
  readonly line: Seq
  readonly stubbed: ReadonlySet<Seq>
  readonly summaryId: string | null
  /** What of it was sent before. */
  readonly sentTokens: number
}

export interface SummaryOutcome {
  readonly decision: Decision
  readonly record: SummaryRecord | null
  readonly summarization: Summarization
  /** To be kept, whatever came of it. */
  readonly state: AskState
}

/**
 * Messages to summarize, redacted, with their calls. Of a pin only its place: it is shown beside
 * the summary.
 */
export interface MessagesToSummarize {
  readonly messages: readonly SourceMessage[]
  readonly calls: KnownCalls
  readonly originals: readonly Message[]
}

/** The oldest first, and no more than a summary is made from at once. */
export async function messagesToSummarize(
  log: Pick<LogReader, 'read' | 'pins'>,
  { from, to }: Span,
): Promise<MessagesToSummarize> {
  const end = Math.min(to, from + defaults.summaryMessages.value)
  const originals = await Array.fromAsync(readPages(log, { from, to: end }))
  const pinned = new Set(log.pins)
  const messages = originals
    .filter((message) => !isRemoved(message))
    .map((message): SourceMessage => {
      if (!pinned.has(message.seq)) return { ...message, ...redactLogMessage(message).message }
      const note = `[#${message.seq} is pinned: it stands beside the summary, word for word]`
      return { ...message, parts: [textPart(note)] }
    })
  const calls = messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool-call'))
  const byId = new Map<string, ToolCallPart>(calls.map((call) => [call.callId, call]))
  return { messages, calls: byId, originals }
}

export type MeterOf = (model: LanguageModel) => Meter

/** Of these models, and of no others. */
export async function loadMeters(
  writer: Pick<SummaryWriter, 'meterFor'>,
  models: readonly LanguageModel[],
): Promise<MeterOf> {
  const meters = new Map<LanguageModel, Meter>()
  for (const model of models) meters.set(model, await writer.meterFor(model.id))
  return (model) => {
    const meter = meters.get(model)
    if (meter === undefined) throw new Error(`the meter of ${model.id} is not loaded`)
    return meter
  }
}
