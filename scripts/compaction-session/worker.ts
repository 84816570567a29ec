/** Part of the session about the queue worker, where the user corrects a decision. */
import type { Builder } from 'throughline/testing'

export function worker(chat: Builder): Builder {
  return chat
    .calls('read_file', { path: 'src/queue.ts' })
    .result(
      `import type { Reminder } from './schedule.ts'

export class ReminderQueue {
  readonly #waiting: Reminder[] = []

  push(reminder: Reminder): void {
    this.#waiting.push(reminder)
  }

  takeDue(now: Date): readonly Reminder[] {
    const due = this.#waiting.filter(({ sendAt }) => sendAt <= now)
    for (const reminder of due) this.#waiting.splice(this.#waiting.indexOf(reminder), 1)
    return due
  }
}`,
    )
    .calls('edit_file', {
      path: 'src/queue.ts',
      find: '({ sendAt }) => sendAt <= now',
      replace: '({ sendAt, recipient }) => sendAt <= now && !isQuiet(now, recipient.timeZone)',
    })
    .result('1 replacement in src/queue.ts')
    .user(
      'No, not in the queue. The worker decides what is sent, the queue only carries it. And log lines are JSON, one object a line.',
    )
    .calls('bash', { command: 'git checkout src/queue.ts' })
    .result('Updated 1 path from the index\nExit code: 0')
    .calls('read_file', { path: 'src/worker.ts' })
    .result(
      `import { logger } from './log.ts'
import type { ReminderQueue } from './queue.ts'
import type { SmsGateway } from './sms-gateway.ts'

export async function runWorker(queue: ReminderQueue, gateway: SmsGateway, clock: Clock) {
  for (const reminder of queue.takeDue(clock.now())) {
    const outcome = await gateway.send(reminder.recipient.phone, textFor(reminder))
    logger.info('reminder ' + reminder.appointmentId + ' ' + outcome.status)
    if (outcome.status === 'refused') queue.push(later(reminder, retryMs))
  }
}`,
    )
    .calls('edit_file', {
      path: 'src/worker.ts',
      find: '    const outcome = await gateway',
      replace:
        '    const { timeZone } = reminder.recipient\n    if (isQuiet(clock.now(), timeZone)) {\n      queue.push({ ...reminder, sendAt: nextLoudHour(clock.now(), timeZone) })\n      continue\n    }\n    const outcome = await gateway',
    })
    .result('1 replacement in src/worker.ts')
    .calls('edit_file', {
      path: 'src/worker.ts',
      find: "logger.info('reminder ' + reminder.appointmentId + ' ' + outcome.status)",
      replace:
        'logger.info(JSON.stringify({ event: "reminder", id: reminder.appointmentId, status: outcome.status }))',
    })
    .result('1 replacement in src/worker.ts')
    .calls('bash', { command: 'npm test' })
    .result(
      `> reminders@2.8.1 test
> vitest run

 Test Files  14 passed (14)
      Tests  96 passed (96)
   Duration  2.31s
Exit code: 0`,
    )
    .says(
      'The queue is as it was. `runWorker` in `src/worker.ts` puts a reminder back to `nextLoudHour` of its recipient when it is quiet there, and logs JSON. All 96 tests pass.',
    )
}
