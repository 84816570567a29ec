/** Runs jobs in this process: several at once, but one of a key at a time. */
import { type Job, jobKey, type Queue } from '../ports/queue.ts'
import type { Timer } from '../ports/timer.ts'

export interface LocalQueueOptions {
  readonly atOnce: number
  /** How long `close` lets jobs run before it aborts them. */
  readonly drainMs: number
  readonly timer: Timer
}

export function localQueue({ atOnce, drainMs, timer }: LocalQueueOptions): Queue {
  /** The newest of each key, in the order in which the keys were added. */
  const waiting = new Map<string, Job>()
  const running = new Map<string, Promise<void>>()
  const abortController = new AbortController()
  let isClosed = false
  let run: (job: Job, signal: AbortSignal) => Promise<void> = async () => {}
  const startWaiting = () => {
    for (const [key, job] of waiting) {
      if (running.size >= atOnce) return
      if (running.has(key)) continue
      waiting.delete(key)
      // A failure is not reported: no request depends on it.
      const done = run(job, abortController.signal)
        .catch(() => {})
        .then(() => {
          running.delete(key)
          startWaiting()
        })
      running.set(key, done)
    }
  }
  const settled = async () => {
    while (running.size > 0) await Promise.all(running.values())
  }
  return {
    start: (runJob) => {
      run = runJob
    },
    add: (job) => {
      if (isClosed) return
      waiting.set(jobKey(job), job)
      startWaiting()
    },
    settled,
    close: async () => {
      isClosed = true
      waiting.clear()
      const drained = new AbortController()
      timer.wait(drainMs, drained.signal).then(() => {
        if (!drained.signal.aborted) abortController.abort(new Error('the engine is closed'))
      })
      await settled()
      drained.abort()
    },
  }
}
