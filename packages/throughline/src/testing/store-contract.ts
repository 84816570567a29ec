/**
 * What every store promises, as cases to run against it. The memory store is the
 * reference; a store of your own passes the same list.
 */

import type { Store } from '../ports/store.ts'
import { createThroughline } from '../throughline.ts'
import type { ContractCase } from './contract.ts'
import { fakeClock } from './fake-clock.ts'
import { appendCases } from './store-contract/append.ts'
import type { StoreCase } from './store-contract/case.ts'
import { digestCases } from './store-contract/digests.ts'
import { exactCases } from './store-contract/exact.ts'
import { factCases } from './store-contract/facts.ts'
import { forkCases } from './store-contract/forks.ts'
import { hindsightCases } from './store-contract/hindsight.ts'
import { indexCases } from './store-contract/index.ts'
import { insertCases } from './store-contract/inserts.ts'
import { keyCases } from './store-contract/keys.ts'
import { readCases } from './store-contract/reads.ts'
import { receiptCases } from './store-contract/receipts.ts'
import { refusalCases } from './store-contract/refusals.ts'
import { removalCases } from './store-contract/removal.ts'
import { requestCases } from './store-contract/requests.ts'
import { rewriteCases } from './store-contract/rewrite.ts'
import { rewriteDerivedCases } from './store-contract/rewrite-derived.ts'
import { rewriteForkCases } from './store-contract/rewrite-forks.ts'
import { rewriteTurnCases } from './store-contract/rewrite-turns.ts'
import { rowCases } from './store-contract/rows.ts'
import { sharedFactCases } from './store-contract/shared-facts.ts'
import { summaryCases } from './store-contract/summaries.ts'
import { termCases } from './store-contract/terms.ts'
import { titleCases } from './store-contract/titles.ts'
import { turnCases } from './store-contract/turns.ts'
import { versionCases } from './store-contract/versions.ts'
import { viewCases } from './store-contract/views.ts'

export interface StoreContractOptions {
  /** A new, empty store. */
  readonly open: () => Store | Promise<Store>
  /** Cases that this store cannot pass, by name, each with the reason in words. */
  readonly skip?: Readonly<Record<string, string>> | undefined
}

const cases: readonly StoreCase[] = [
  ...rewriteCases,
  ...rewriteForkCases,
  ...rewriteDerivedCases,
  ...rewriteTurnCases,
  ...titleCases,
  ...appendCases,
  ...readCases,
  ...keyCases,
  ...exactCases,
  ...forkCases,
  ...viewCases,
  ...requestCases,
  ...rowCases,
  ...factCases,
  ...sharedFactCases,
  ...receiptCases,
  ...hindsightCases,
  ...summaryCases,
  ...digestCases,
  ...turnCases,
  ...indexCases,
  ...termCases,
  ...versionCases,
  ...insertCases,
  ...removalCases,
  ...refusalCases,
]

/**
 * What every store promises, as cases that any test runner can run against it.
 *
 * @example
 * for (const { name, run } of storeContract({ open: () => memory() })) it(name, run)
 */
export function storeContract({ open, skip = {} }: StoreContractOptions): readonly ContractCase[] {
  const unknown = Object.keys(skip).find((name) => !cases.some((known) => known.name === name))
  if (unknown !== undefined) throw new Error(`there is no case "${unknown}" to skip`)
  return cases
    .filter(({ name }) => skip[name] === undefined)
    .map(({ name, run }) => ({
      name,
      run: async () => {
        const store = await open()
        const clock = fakeClock()
        try {
          await run({ store, clock, tl: createThroughline({ store, clock }) })
        } finally {
          await store.close()
        }
      },
    }))
}
