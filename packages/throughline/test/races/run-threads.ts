/** Shares of the work, so many at once, each in a thread of its own. */
import { Worker } from 'node:worker_threads'
import type { Share } from './thread.ts'

export async function runThreads<Report>(
  shares: readonly Share[],
  threads: number,
  onReport: (report: Report, share: Share) => void,
): Promise<void> {
  const waiting = shares.values()
  const work = async () => {
    for (const share of waiting) onReport(await runThread<Report>(share), share)
  }
  await Promise.all(Array.from({ length: threads }, work))
}

function runThread<Report>(share: Share): Promise<Report> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./thread.ts', import.meta.url), { workerData: share })
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}

/** So many runs in shares of so many; a seed for each, so that each can be run alone. */
export function shared(seed: number, runs: number, most: number): readonly SeededRuns[] {
  return Array.from({ length: Math.ceil(runs / most) }, (_, index) => ({
    seed: seed + index,
    runs: Math.min(most, runs - index * most),
  }))
}

export interface SeededRuns {
  readonly seed: number
  readonly runs: number
}
