/** What it takes to have a summary written, and what comes of it. */

import type { Context } from '../../domain/context.ts'
import type { Decision } from '../../domain/decision.ts'
import type { SummarizationEvent } from '../../domain/event.ts'
import type { Sha256 } from '../../domain/hash.ts'
import type { Seq } from '../../domain/ids.ts'
import type { AskLimits, AskState } from '../../domain/model-calls.ts'
import type { Summarization, SummaryRecord } from '../../domain/summary.ts'
import type { Clock } from '../../ports/clock.ts'
import type { StyledModels } from '../../ports/summary-style.ts'
import type { Timer } from '../../ports/timer.ts'
import type { Meter } from '../measure/measure.ts'
import type { LogReader } from '../read/readers.ts'
import type { SummarySources } from './summary-sources.ts'

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
  /** The end of the log when a job found nothing that a model could tell; null where none did. */
  readonly emptyAt: Seq | null
  meterFor(model: string): Promise<Meter>
  note(event: SummarizationEvent): void
}

export interface WriteSummary extends SummarySources {
  readonly writer: SummaryWriter
  readonly limits: AskLimits
  readonly log: Pick<LogReader, 'read' | 'head' | 'pins'>
  /** The summary that this one goes on from; null where it begins with the messages. */
  readonly base: SummaryRecord | null
  /** The one that it takes the place of. */
  readonly parent: SummaryRecord | null
  /** It is to tell all messages before it. */
  readonly line: Seq
  /** The most that it may have in a context. */
  readonly summaryTokens: number
  /** What it is to dwell on, in the words of whoever asked for it; null where nobody said. */
  readonly wishes: string | null
  /** Of the conversation's model. */
  readonly meter: Meter
  readonly decision: Decision
  /** What its own model may go on from; null where that would gain nothing. */
  readonly soFar: () => Promise<ConversationSoFar | null>
  readonly sha256: Sha256
}

/** What the conversation would send next if nothing were compacted. */
export interface ConversationSoFar {
  readonly context: Context
  /** Messages before it are not shown one by one. */
  readonly line: Seq
  /** Messages that are not shown whole. */
  readonly stubbed: ReadonlySet<Seq>
  /** The summary by a model that it shows. */
  readonly summaryId: string | null
  /** What of it was sent before. */
  readonly sentTokens: number
}

export interface SummaryOutcome {
  /** Why models were asked. */
  readonly decision: Decision
  readonly record: SummaryRecord | null
  readonly summarization: Summarization
  /** To be kept, whatever came of it. */
  readonly state: AskState
}
