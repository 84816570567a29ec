import type { Store } from '../ports/store.ts'
import { createThroughline } from '../throughline.ts'
import type { ContractCase } from './contract.ts'
import { fakeClock } from './fake-clock.ts'
import { appendCases } from './store-contract/append.ts'
import { id, type StoreCases, tenantOf } from './store-contract/case.ts'
import { commitCases } from './store-contract/commits.ts'
import { forkCases } from './store-contract/forks.ts'
import { indexCases } from './store-contract/index.ts'
import { kindCases } from './store-contract/kinds.ts'
import { messageCases } from './store-contract/messages.ts'
import { removalCases } from './store-contract/removal.ts'
import { rewriteCases } from './store-contract/rewrite.ts'
import { rewriteForkCases } from './store-contract/rewrite-forks.ts'
import { rewriteRowCases } from './store-contract/rewrite-rows.ts'
import { rowCases } from './store-contract/rows.ts'

/** The options of `storeContract`. */
export interface StoreContractOptions {
  readonly open: () => Store | Promise<Store>
  /** Cases that this store cannot pass, by name, each with the reason in words. */
  readonly skip?: Readonly<Record<string, string>> | undefined
}

const cases: StoreCases = {
  ...rewriteCases,
  ...rewriteForkCases,
  ...rewriteRowCases,
  ...appendCases,
  ...messageCases,
  ...forkCases,
  ...commitCases,
  ...rowCases,
  ...kindCases,
  ...indexCases,
  ...removalCases,
}

/**
 * The contract of all stores, as cases for any test runner. The memory store is the reference.
 *
 * @example
 * for (const { name, run } of storeContract({ open: () => memory() })) it(name, run)
 */
export function storeContract({ open, skip = {} }: StoreContractOptions): readonly ContractCase[] {
  const unknown = Object.keys(skip).find((name) => !Object.hasOwn(cases, name))
  if (unknown !== undefined) throw new Error(`unknown case "${unknown}" in skip`)
  return Object.entries(cases)
    .filter(([name]) => skip[name] === undefined)
    .map(([name, check]) => ({ name, run: () => runCase(open, check) }))
}

/** Runs a case on a new store, and closes it afterwards. */
export async function runCase(open: StoreContractOptions['open'], check: StoreCases[string]) {
  const store = await open()
  const clock = fakeClock()
  const tl = createThroughline({ store, clock })
  try {
    await check({ store, clock, tl, chat: tl.conversation(id), tenant: tenantOf(store) })
  } finally {
    await store.close()
  }
}
