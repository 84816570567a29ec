/** A queue of somebody else's, which may refuse. */
import type { Queue } from '../ports/queue.ts'

/** A job that a queue does not take is asked for again: nothing that was asked for fails with it. */
export function patientQueue(queue: Queue): Queue {
  return {
    start: (run) => queue.start(run),
    add: (job) => {
      new Promise((resolve) => resolve(queue.add(job))).catch(() => {})
    },
    settled: () => queue.settled(),
    close: () => queue.close(),
  }
}
