/** Functions that the threads of the kernel's own test run. */
import type { SeededRuns } from './threads.ts'

export async function sum({ seed, runs }: SeededRuns): Promise<number> {
  return seed + runs
}

export async function fail(): Promise<never> {
  throw new Error('put in')
}
