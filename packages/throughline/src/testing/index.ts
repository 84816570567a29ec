/** Contracts, builders and fault tools, for your own stores and tests. */
export { type Builder, build } from './build.ts'
export type { ContractCase } from './contract.ts'
export { type FakeClock, fakeClock } from './fake-clock.ts'
export { type Fault, type FaultyDriver, faultyDriver } from './faulty-driver.ts'
export { type StoreContractOptions, storeContract } from './store-contract.ts'
