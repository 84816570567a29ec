/** Ignores errors of a caller's queue: a later request adds the job again. */
import type { Queue } from '../ports/queue.ts'

export function tolerantQueue(queue: Queue): Queue {
  return {
    start: (run) => queue.start(run),
    add: (job) => {
      new Promise((resolve) => resolve(queue.add(job))).catch(() => {})
    },
    settled: () => queue.settled(),
    close: () => queue.close(),
  }
}
