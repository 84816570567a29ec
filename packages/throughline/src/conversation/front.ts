/** What every handle of an engine shares. */
import type { Settings } from '../config.ts'
import type { Meter } from '../flow/measure.ts'
import type { Background } from './background.ts'
import type { DueHindsight } from './due-hindsight.ts'
import type { KnownLedgers } from './known-ledgers.ts'
import type { KnownViews } from './known-views.ts'
import type { TailCache } from './tail-cache.ts'

export interface Front {
  readonly settings: Settings
  readonly meter: (model: string) => Promise<Meter>
  readonly tails: TailCache
  readonly views: KnownViews
  readonly ledgers: KnownLedgers
  readonly background: Background
  readonly hindsight: DueHindsight
  /** Whole milliseconds, from the clock that was handed in. */
  readonly now: () => number
}
