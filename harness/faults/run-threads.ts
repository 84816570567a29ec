/** Planned runs spread over threads, run after run to each in turn. */
import { Worker } from 'node:worker_threads'
import type { PlannedRun } from './planned-run.ts'
import type { RunReport } from './tally.ts'

export async function runThreads(
  runs: readonly PlannedRun[],
  threads: number,
  done: (report: RunReport) => void,
): Promise<void> {
  const shares = Array.from({ length: threads }, (_, thread) =>
    runs.filter((_run, index) => index % threads === thread),
  )
  await Promise.all(
    shares.filter((share) => share.length > 0).map((share) => runThread(share, done)),
  )
}

function runThread(runs: readonly PlannedRun[], done: (report: RunReport) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./thread.ts', import.meta.url), { workerData: runs })
    worker.on('message', done)
    worker.once('error', reject)
    worker.once('exit', () => resolve())
  })
}
