/** Distributes work in shares to threads: a thread that finishes a share gets the next one. */
import { Worker } from 'node:worker_threads'

export interface SharedWork<Share> {
  /** The URL of the module that does the work, and the name of its function. */
  readonly module: string
  readonly run: string
  readonly shares: readonly Share[]
  readonly threads: number
  /** How many shares a thread has at once: more than one if most of the work is waiting. */
  readonly atOnce?: number
}

/** A share sent to a thread; its report returns under the same number. */
export interface DealtShare {
  readonly number: number
  readonly share: unknown
}

export interface ThreadReport {
  readonly number: number
  readonly report: unknown
}

export async function runOnThreads<Share, Report>(
  { module, run, shares, threads, atOnce = 1 }: SharedWork<Share>,
  onReport: (report: Report, share: Share) => void,
): Promise<void> {
  const waiting = shares.entries()
  const workers = Math.min(threads, Math.ceil(shares.length / atOnce))
  const work = () =>
    new Promise<void>((resolve, reject) => {
      const worker = new Worker(new URL('./thread.ts', import.meta.url), {
        workerData: { module, run },
      })
      let open = 0
      const deal = () => {
        const next = waiting.next()
        if (!next.done) {
          open += 1
          const [number, share] = next.value
          worker.postMessage({ number, share } satisfies DealtShare)
        } else if (open === 0) void worker.terminate()
      }
      worker.on('message', ({ number, report }: ThreadReport) => {
        open -= 1
        onReport(report as Report, shares[number] as Share)
        deal()
      })
      worker.once('error', reject)
      worker.once('exit', () =>
        open === 0 ? resolve() : reject(new Error('a thread exited before its work was done')),
      )
      for (let count = 0; count < atOnce; count += 1) deal()
    })
  await Promise.all(Array.from({ length: workers }, work))
}

/** Splits runs into shares; each share has its own seed, so that it can be run alone. */
export function seededShares(seed: number, runs: number, most: number): readonly SeededRuns[] {
  return Array.from({ length: Math.ceil(runs / most) }, (_, index) => ({
    seed: seed + index,
    runs: Math.min(most, runs - index * most),
  }))
}

export interface SeededRuns {
  readonly seed: number
  readonly runs: number
}
