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
  /** Tried in this order; each has models. */
  readonly styles: readonly StyledModels[]
  readonly state: AskState
  readonly clock: Clock
  readonly timer: Timer
  readonly signal: AbortSignal
  /**
   * Takes the lock for writing a summary. `ended`: another writer had it and finished, so the
   * caller checks again. `waited`: it is still taken after `waitMs`; null waits forever.
   */
  takeLock(waitMs: number | null): Promise<'taken' | 'ended' | 'waited'>
  /** The head when a job last found nothing to summarize; null if none did. */
  readonly emptyAt: Seq | null
  meterFor(model: string): Promise<Meter>
  readonly reportEvent: (event: SummarizationEvent) => void
}

/** One summary to write: of the messages after `base` and before `line`. */
export interface SummaryTask {
  readonly request: Pick<ContextRequest, 'model' | 'system' | 'tools'>
  readonly pinned: readonly Message[]
  readonly ledger: Ledger
  readonly writer: SummaryWriter
  readonly limits: AskLimits
  readonly log: Pick<LogReader, 'read' | 'head' | 'pins'>
  /** The summary that the new one extends; null for one from the messages alone. */
  readonly base: SummaryRecord | null
  /** The newest summary before `line`; it is the base, unless the summary is written afresh. */
  readonly parent: SummaryRecord | null
  readonly line: Seq
  /** In a model's own tokens: a meter that estimates counts more for the same text. */
  readonly summaryTokens: number
  /** The caller's instructions for the summary; null if there are none. */
  readonly instructions: string | null
  readonly meter: Meter
  readonly decision: Decision
  /** The request that the conversation's own model can continue; null if no cache has it. */
  readonly soFar: () => Promise<ConversationSoFar | null>
  readonly sha256: Sha256
}

export interface ConversationSoFar {
  readonly context: Context
  /** The line of the view in the context. */
  readonly line: Seq
  readonly stubbed: ReadonlySet<Seq>
  readonly summaryId: string | null
  /** Tokens that were sent before, and are probably cached. */
  readonly sentTokens: number
}

export interface SummaryOutcome {
  readonly decision: Decision
  readonly record: SummaryRecord | null
  readonly summarization: Summarization
  /** To be stored, also after a failure. */
  readonly state: AskState
}

/** Redacted, with their calls. A note replaces a pin, which contexts show beside the summary. */
export interface MessagesToSummarize {
  readonly messages: readonly SourceMessage[]
  readonly calls: KnownCalls
  readonly originals: readonly Message[]
}

/** Loads the oldest messages first, at most as many as one summary takes. */
export async function messagesToSummarize(
  log: Pick<LogReader, 'read' | 'pins'>,
  { from, to }: Span,
): Promise<MessagesToSummarize> {
  const end = Math.min(to, from + defaults.summaryMessages)
  const originals = await Array.fromAsync(readPages(log, { from, to: end }))
  const pinned = new Set(log.pins)
  const messages = originals
    .filter((message) => !isRemoved(message))
    .map((message): SourceMessage => {
      if (!pinned.has(message.seq)) return { ...message, ...redactLogMessage(message).message }
      const note = `[#${message.seq} is pinned: the context shows it word for word, so it is left out here]`
      return { ...message, parts: [textPart(note)] }
    })
  const calls = new Map<string, ToolCallPart>()
  for (const { parts } of messages)
    for (const part of parts) if (part.type === 'tool-call') calls.set(part.callId, part)
  return { messages, calls, originals }
}

export type MeterOf = (model: LanguageModel) => Meter

/** Loads the meters of these models only. */
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
