/** What every handle of an engine shares. */
import type { Settings } from '../config.ts'
import type { ConversationId } from '../domain/ids.ts'
import type { SummarizationEvent } from '../domain/summarization-event.ts'
import type { Meter } from '../flow/measure/measure.ts'
import type { ContextExtension } from '../ports/context-extension.ts'
import type { Queue } from '../ports/queue.ts'
import type { Background } from './background.ts'
import type { BarrenJobs } from './barren-jobs.ts'
import type { DueHindsight } from './due-hindsight.ts'
import type { Flights } from './flights.ts'
import type { Indexing } from './indexing.ts'
import type { KnownLedgers } from './known-ledgers.ts'
import type { KnownViews } from './known-views.ts'
import type { Purges } from './purges.ts'
import type { SummaryAhead } from './summary-ahead.ts'
import type { TailCache } from './tail-cache.ts'

export interface Front {
  readonly tenant: string
  readonly settings: Settings
  /** Describes messages in slots of the policy. */
  readonly extension: ContextExtension
  readonly meter: (model: string) => Promise<Meter>
  /** Counts where no model is named: rather too many than too few. */
  readonly estimate: () => Promise<Meter>
  readonly tails: TailCache
  readonly views: KnownViews
  readonly ledgers: KnownLedgers
  readonly background: Background
  readonly hindsight: DueHindsight
  readonly indexing: Indexing
  readonly flights: Flights
  readonly barren: BarrenJobs
  readonly purges: Purges
  readonly replies: SummaryAhead
  /** For what nobody waits for. */
  readonly queue: Queue
  /** To whoever follows what happens. */
  readonly tell: (event: SummarizationEvent, conversation: ConversationId) => void
  /** Whole milliseconds, from the clock that was handed in. */
  readonly now: () => number
}
