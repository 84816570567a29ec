/** A queue whose jobs begin when the schedule draws them, one of a key at a time, and that may forget. */
import { type Job, jobKey, type Queue } from 'throughline'
import type { Chance } from '../kernel/chance.ts'
import type { Schedule } from './schedule.ts'

const forgetsInTimes = 12

export function drawnQueue(schedule: Schedule, chance: Chance): Queue {
  const waiting = new Map<string, Job>()
  const running = new Map<string, Promise<void>>()
  const ending = new AbortController()
  let isClosed = false
  let run: (job: Job, signal: AbortSignal) => Promise<void> = async () => {}
  const begin = (key: string) => {
    if (running.has(key)) return
    const done = schedule
      .wait(`job ${key}`)
      .then(() => {
        const job = waiting.get(key)
        waiting.delete(key)
        return job === undefined ? undefined : run(job, ending.signal)
      })
      // What fails here is nobody's: the next request finds it due again.
      .catch(() => {})
      .then(() => {
        running.delete(key)
        if (waiting.has(key)) begin(key)
      })
    running.set(key, done)
  }
  const settled = async () => {
    while (running.size > 0) await Promise.all(running.values())
  }
  return {
    start: (given) => {
      run = given
    },
    add: (job) => {
      if (isClosed || chance.once(forgetsInTimes)) return
      waiting.set(jobKey(job), job)
      begin(jobKey(job))
    },
    settled,
    close: async () => {
      isClosed = true
      waiting.clear()
      ending.abort(new Error('the engine is closed'))
      await settled()
    },
  }
}
