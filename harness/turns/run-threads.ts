/** Shares of sessions, dealt out to threads. */
import { Worker } from 'node:worker_threads'
import type { SessionRuns, SessionsReport } from './run-sessions.ts'

export async function runThreads(
  shares: readonly SessionRuns[],
  threads: number,
  onReport: (report: SessionsReport) => void,
): Promise<void> {
  const dealt = Array.from({ length: Math.min(threads, shares.length) }, (_, thread) =>
    shares.filter((_share, index) => index % threads === thread),
  )
  await Promise.all(dealt.map((own) => runThread(own, onReport)))
}

function runThread(
  shares: readonly SessionRuns[],
  onReport: (report: SessionsReport) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./thread.ts', import.meta.url), { workerData: shares })
    worker.on('message', onReport)
    worker.once('error', reject)
    worker.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`a thread ended with ${code}`)),
    )
  })
}
