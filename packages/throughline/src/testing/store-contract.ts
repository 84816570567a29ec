import type { Store } from '../ports/store.ts'
import type { ContractCase } from './contract.ts'
import { compareWithMemory } from './store-contract/compare.ts'
import { concurrentCases } from './store-contract/concurrent-cases.ts'
import { randomCommands, randomSearches } from './store-contract/random-commands.ts'
import { scripts } from './store-contract/scripts.ts'

/** The options of `storeContract`. */
export interface StoreContractOptions {
  readonly open: () => Store | Promise<Store>
  /** Cases that this store cannot pass, by name, each with the reason in words. */
  readonly skip?: Readonly<Record<string, string>> | undefined
}

const seedsOf = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

type Check = (open: StoreContractOptions['open']) => Promise<void>

const cases: Readonly<Record<string, Check>> = {
  ...Object.fromEntries(
    [
      ...seedsOf(26).map((seed) => [`random commands ${seed}`, randomCommands(seed)] as const),
      ...seedsOf(10).map((seed) => [`random searches ${seed}`, randomSearches(seed)] as const),
      ...Object.entries(scripts),
    ].map(([name, script]): [string, Check] => [
      name,
      async (open) => compareWithMemory(await open(), script),
    ]),
  ),
  ...concurrentCases,
}

/**
 * The contract of all stores, as cases for any test runner: in each case the store must answer as
 * the memory store, which is the reference, or do as the case says where several calls run at once.
 *
 * @example
 * for (const { name, run } of storeContract({ open: () => memory() })) it(name, run)
 */
export function storeContract({ open, skip = {} }: StoreContractOptions): readonly ContractCase[] {
  const unknown = Object.keys(skip).find((name) => !Object.hasOwn(cases, name))
  if (unknown !== undefined) throw new Error(`unknown case "${unknown}" in skip`)
  return Object.entries(cases)
    .filter(([name]) => skip[name] === undefined)
    .map(([name, check]) => ({ name, run: () => check(open) }))
}
