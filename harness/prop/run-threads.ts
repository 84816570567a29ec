/** Seeds spread over threads: seed after seed to each in turn. */
import { Worker } from 'node:worker_threads'
import { type Report, sumOf } from './tally.ts'

export interface ThreadedRun {
  readonly seed: number
  readonly runs: number
  readonly threads: number
}

export async function runThreads({ seed, runs, threads }: ThreadedRun): Promise<Report> {
  const seeds = Array.from({ length: runs }, (_, index) => seed + index)
  const shares = Array.from({ length: Math.min(threads, runs) }, (_, thread) =>
    seeds.filter((_, index) => index % threads === thread),
  )
  return sumOf(await Promise.all(shares.map(runThread)))
}

function runThread(seeds: readonly number[]): Promise<Report> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./thread.ts', import.meta.url), { workerData: seeds })
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}
