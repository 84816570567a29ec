/** One promise of a store, and what it is tried with. */

import type { Store } from '../../ports/store.ts'
import type { Throughline } from '../../throughline.ts'
import type { FakeClock } from '../fake-clock.ts'

/** What a case works with; the store is closed behind it. */
export interface Bench {
  readonly tl: Throughline
  readonly store: Store
  readonly clock: FakeClock
}

export interface StoreCase {
  readonly name: string
  readonly run: (bench: Bench) => Promise<void>
}
