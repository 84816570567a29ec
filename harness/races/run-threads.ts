/** Shares of the work, dealt out to threads. */
import { Worker } from 'node:worker_threads'
import type { Share } from './thread.ts'

export async function runThreads<Report>(
  shares: readonly Share[],
  threads: number,
  onReport: (report: Report, share: Share) => void,
): Promise<void> {
  const dealt = Array.from({ length: Math.min(threads, shares.length) }, (_, thread) =>
    shares.filter((_share, index) => index % threads === thread),
  )
  await Promise.all(dealt.map((own) => runThread(own, onReport)))
}

function runThread<Report>(
  shares: readonly Share[],
  onReport: (report: Report, share: Share) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./thread.ts', import.meta.url), { workerData: shares })
    worker.on('message', (made: { readonly report: Report; readonly share: Share }) =>
      onReport(made.report, made.share),
    )
    worker.once('error', reject)
    worker.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`a thread ended with ${code}`)),
    )
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
