/** A caller's queue may refuse a job: a later request adds it again, so nothing fails with it. */
import type { Queue } from '../ports/queue.ts'

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
