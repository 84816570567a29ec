/**
 * A coding session as an agent has one, for docs/compaction.md: a task with rules, files, a
 * test that fails, a decision, a correction, a key that a command prints. Everything in it
 * is made up; the page shows what becomes of it.
 */
import { type Builder, build } from 'throughline/testing'

export const system =
  'You are a coding agent in the folder of a project. Work with the tools, and say what you found.'

const path = { type: 'string' } as const
const schemaOf = (properties: Readonly<Record<string, object>>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})

export const tools = [
  { name: 'read_file', description: 'Reads a file.', inputSchema: schemaOf({ path }) },
  {
    name: 'edit_file',
    description: 'Replaces a text that occurs once in a file.',
    inputSchema: schemaOf({ path, find: { type: 'string' }, replace: { type: 'string' } }),
  },
  {
    name: 'write_file',
    description: 'Writes a file.',
    inputSchema: schemaOf({ path, content: { type: 'string' } }),
  },
  {
    name: 'grep',
    description: 'Lines of files that match a pattern.',
    inputSchema: schemaOf({ pattern: { type: 'string' }, path }),
  },
  {
    name: 'bash',
    description: 'Runs a command.',
    inputSchema: schemaOf({ command: { type: 'string' } }),
  },
] as const

/** Made up; no summary and no ledger may hold it. */
export const printedKey = 'q7VdX2mPz04tLkRsA9wYhB3nUe6cJf81'

/** Up to the middle of the last thing that is asked for. */
export function session(): Builder {
  return report(gateway(worker(zones(build()))))
}

function zones(chat: Builder): Builder {
  return chat
    .user(
      [
        'Reminders of appointments reach people at the wrong hour when they live in another time zone.',
        'Find out why and fix it.',
        '',
        'Quiet hours are 21:00 to 08:00 where the recipient lives.',
        'No new packages, the Intl that Node has is enough.',
        'Tests lie beside the file that they test.',
      ].join('\n'),
    )
    .calls('grep', { pattern: 'isQuiet|sendAt', path: 'src' })
    .result(
      [
        "src/schedule.ts:3:import { isQuiet, nextLoudHour } from './quiet-hours.ts'",
        'src/schedule.ts:14:  const sendAt = new Date(appointment.startsAt - leadMs)',
        'src/schedule.ts:15:  return isQuiet(sendAt) ? nextLoudHour(sendAt) : sendAt',
        'src/quiet-hours.ts:4:export function isQuiet(at: Date): boolean {',
        'src/worker.ts:22:    if (reminder.sendAt > clock.now()) continue',
      ].join('\n'),
    )
    .calls('read_file', { path: 'src/quiet-hours.ts' })
    .result(
      `/** Nobody is woken by a reminder. */
export const quietFrom = 21
export const quietTo = 8

export function isQuiet(at: Date): boolean {
  const hour = at.getHours()
  return hour >= quietFrom || hour < quietTo
}

export function nextLoudHour(at: Date): Date {
  const next = new Date(at)
  if (at.getHours() >= quietFrom) next.setDate(next.getDate() + 1)
  next.setHours(quietTo, 0, 0, 0)
  return next
}`,
    )
    .calls('read_file', { path: 'src/recipient.ts' })
    .result(
      `export interface Recipient {
  readonly id: string
  readonly phone: string
  readonly language: 'de' | 'en' | 'tr'
  /** As the database has it: null for rows before 2024. */
  readonly timeZone: string | null
}`,
    )
    .calls('bash', { command: 'TZ=Asia/Tokyo npm test -- quiet-hours' })
    .result(
      `> reminders@2.8.1 test
> vitest run quiet-hours

 FAIL  src/quiet-hours.test.ts > isQuiet > is not quiet at noon in Berlin
AssertionError: expected true to be false
 ❯ src/quiet-hours.test.ts:11:38

 Test Files  1 failed (1)
      Tests  1 failed | 5 passed (6)
   Duration  412ms
Exit code: 1`,
    )
    .says(
      'The cause is `isQuiet` in `src/quiet-hours.ts`: it asks `at.getHours()`, which is the hour of the server. With TZ=Asia/Tokyo its own test fails. I would hand in the zone of the recipient and ask `Intl.DateTimeFormat` for the hour there. What holds for recipients without a zone?',
    )
    .user(
      'Europe/Berlin for those. The migrations belong to the database team, so the schema stays as it is.',
    )
    .calls('read_file', { path: 'src/schedule.ts' })
    .result(
      `import type { Appointment } from './appointment.ts'
import type { Recipient } from './recipient.ts'
import { isQuiet, nextLoudHour } from './quiet-hours.ts'

const leadMs = 24 * 60 * 60 * 1000

export interface Reminder {
  readonly appointmentId: string
  readonly recipient: Recipient
  readonly sendAt: Date
}

export function sendAtFor(appointment: Appointment): Date {
  const sendAt = new Date(appointment.startsAt - leadMs)
  return isQuiet(sendAt) ? nextLoudHour(sendAt) : sendAt
}`,
    )
    .calls('edit_file', {
      path: 'src/quiet-hours.ts',
      find: 'export function isQuiet(at: Date): boolean {\n  const hour = at.getHours()',
      replace:
        "export const defaultZone = 'Europe/Berlin'\n\nexport function isQuiet(at: Date, zone: string | null): boolean {\n  const hour = hourIn(at, zone ?? defaultZone)",
    })
    .result('1 replacement in src/quiet-hours.ts')
    .calls('edit_file', {
      path: 'src/quiet-hours.ts',
      find: 'export function nextLoudHour(at: Date): Date {',
      replace:
        "function hourIn(at: Date, timeZone: string): number {\n  const format = new Intl.DateTimeFormat('en', { timeZone, hour: 'numeric', hour12: false })\n  return Number(format.format(at))\n}\n\nexport function nextLoudHour(at: Date, zone: string | null): Date {",
    })
    .result('1 replacement in src/quiet-hours.ts')
    .calls('bash', { command: 'npm test -- quiet-hours' })
    .result(
      `> reminders@2.8.1 test
> vitest run quiet-hours

 FAIL  src/quiet-hours.test.ts > hourIn > has midnight as 0
AssertionError: expected 24 to be +0 // Object.is equality
 ❯ src/quiet-hours.test.ts:31:52

 Test Files  1 failed (1)
      Tests  1 failed | 8 passed (9)
   Duration  398ms
Exit code: 1`,
    )
    .calls('edit_file', {
      path: 'src/quiet-hours.ts',
      find: 'hour12: false',
      replace: "hourCycle: 'h23'",
    })
    .result('1 replacement in src/quiet-hours.ts')
    .calls('bash', { command: 'npm test -- quiet-hours' })
    .result(
      `> reminders@2.8.1 test
> vitest run quiet-hours

 Test Files  1 passed (1)
      Tests  9 passed (9)
   Duration  371ms
Exit code: 0`,
    )
    .says(
      'Fixed: quiet hours are those of the recipient now, and Europe/Berlin where no zone is known. With `hour12: false` midnight was 24, so I decided to use `hourCycle: "h23"`. Next I move the check into `src/queue.ts`, so that nothing quiet is ever taken from the queue.',
    )
}

function worker(chat: Builder): Builder {
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

function gateway(chat: Builder): Builder {
  return chat
    .user(
      'Good. Now the SMS gateway: it answers 429 when we send in bursts. 5 messages a second is what the contract gives us. Try it on the sandbox. Phone numbers are masked in logs, the last three digits are fine. Commit messages have the form `area: what changed`.',
    )
    .calls('read_file', { path: 'src/sms-gateway.ts' })
    .result(
      `export interface SmsGateway {
  send(phone: string, text: string): Promise<Outcome>
}

export interface Outcome {
  readonly status: 'sent' | 'refused' | 'failed'
  readonly messageId: string | null
  readonly feeCents: number
}

export function httpGateway({ url, apiKey }: GatewayOptions): SmsGateway {
  return {
    send: async (phone, text) => {
      const response = await fetch(url + '/v3/messages', {
        method: 'POST',
        headers: { 'X-Api-Key': apiKey },
        body: JSON.stringify({ to: phone, text }),
      })
      if (response.status === 429) return { status: 'refused', messageId: null, feeCents: 0 }
      return outcomeOf(await response.json())
    },
  }
}`,
    )
    .calls('bash', { command: 'env | grep SMS_' })
    .result(
      `SMS_GATEWAY_URL=https://sandbox.sms-gateway.example/api
SMS_GATEWAY_API_KEY=${printedKey}
SMS_SENDER=Praxis
Exit code: 0`,
    )
    .calls('bash', {
      command: `curl -sS -H "X-Api-Key: ${printedKey}" https://sandbox.sms-gateway.example/api/v3/limits`,
    })
    .result('{"messagesPerSecond":5,"burst":10,"account":"sandbox-7741"}\nExit code: 0')
    .calls('write_file', {
      path: 'src/rate-limit.ts',
      content:
        '/** Lets so many through in a second; the others wait for their turn. */\nexport function rateLimit(perSecond: number, clock: Clock): () => Promise<void> {\n  const spacingMs = 1000 / perSecond\n  let nextAt = 0\n  return async () => {\n    const at = Math.max(nextAt, clock.now().getTime())\n    nextAt = at + spacingMs\n    await clock.until(at)\n  }\n}\n',
    })
    .result('Wrote src/rate-limit.ts (11 lines)')
    .calls('edit_file', {
      path: 'src/sms-gateway.ts',
      find: '    send: async (phone, text) => {',
      replace: '    send: async (phone, text) => {\n      await turn()',
    })
    .result('1 replacement in src/sms-gateway.ts')
    .calls('bash', { command: 'npm run try-sandbox -- --messages 40' })
    .result(
      `> reminders@2.8.1 try-sandbox
> node scripts/try-sandbox.ts --messages 40

batch 5e1c9a70-3f0b-4b52-9d27-6a1c0f4d8e21
sent 40, refused 0, failed 0 in 7.8 s
Exit code: 0`,
    )
    .calls('bash', { command: 'git commit -am "gateway: five messages a second"' })
    .result(
      '[time-zones 8c41f7e] gateway: five messages a second\n 3 files changed, 16 insertions(+), 1 deletion(-)\nExit code: 0',
    )
    .says(
      'The gateway waits for its turn: `rateLimit(5, clock)` in `src/rate-limit.ts`. 40 messages to the sandbox took 7.8 s and none was refused (batch 5e1c9a70-3f0b-4b52-9d27-6a1c0f4d8e21). Committed as 8c41f7e on `time-zones`.',
    )
}

function report(chat: Builder): Builder {
  return chat
    .user(
      'Next: a report of what was not delivered. `npm run report -- --since 2026-03-01` prints a line for each reminder, newest first, and the total of the fees. Fees are cents everywhere, they become euros when they are printed.',
    )
    .calls('grep', { pattern: 'feeCents', path: 'src' })
    .result(
      [
        'src/sms-gateway.ts:8:  readonly feeCents: number',
        'src/sms-gateway.ts:20:      if (response.status === 429) return { status: "refused", messageId: null, feeCents: 0 }',
        'src/outcome-store.ts:17:  feeCents: row.fee_cents,',
        'src/outcome-store.test.ts:26:    expect(found.feeCents).toBe(7)',
      ].join('\n'),
    )
    .calls('read_file', { path: 'src/outcome-store.ts' })
    .result(
      `import type { Database } from './database.ts'
import type { Outcome } from './sms-gateway.ts'

export interface StoredOutcome extends Outcome {
  readonly appointmentId: string
  readonly phone: string
  readonly at: Date
}

export function outcomesSince(database: Database, since: Date): readonly StoredOutcome[] {
  const rows = database.all('select * from outcomes where at >= ? order by at', [since.toISOString()])
  return rows.map((row) => ({
    appointmentId: row.appointment_id,
    status: row.status,
    messageId: row.message_id,
    feeCents: row.fee_cents,
    phone: row.phone,
    at: new Date(row.at),
  }))
}`,
    )
    .calls('read_file', { path: 'package.json' })
    .result(
      `{
  "name": "reminders",
  "version": "2.8.1",
  "type": "module",
  "scripts": {
    "test": "vitest run",
    "try-sandbox": "node scripts/try-sandbox.ts",
    "start": "node src/main.ts"
  },
  "devDependencies": { "vitest": "3.2.4", "typescript": "5.9.2" }
}`,
    )
    .calls('read_file', { path: 'src/main.ts' })
    .result(
      `import { openDatabase } from './database.ts'
import { ReminderQueue } from './queue.ts'
import { httpGateway } from './sms-gateway.ts'
import { runWorker } from './worker.ts'

const database = openDatabase(process.env.DATABASE_FILE ?? 'reminders.db')
const queue = new ReminderQueue()
for (const reminder of await database.waiting()) queue.push(reminder)
const gateway = httpGateway({ url: process.env.SMS_GATEWAY_URL, apiKey: process.env.SMS_GATEWAY_API_KEY })
setInterval(() => runWorker(queue, gateway, systemClock), 15_000)`,
    )
    .calls('write_file', {
      path: 'src/report.ts',
      content:
        "import { type StoredOutcome, outcomesSince } from './outcome-store.ts'\n\nexport function reportLines(outcomes: readonly StoredOutcome[]): readonly string[] {\n  const missed = outcomes.filter(({ status }) => status !== 'sent').toReversed()\n  return missed.map(({ at, appointmentId, status }) => at.toISOString() + ' ' + appointmentId + ' ' + status)\n}\n",
    })
    .result('Wrote src/report.ts (6 lines)')
    .calls('write_file', {
      path: 'src/report.test.ts',
      content:
        "import { expect, it } from 'vitest'\nimport { reportLines } from './report.ts'\n\nit('has the newest first', () => {\n  expect(reportLines([outcome('a-1', 'failed', 1), outcome('a-2', 'refused', 2)])[0]).toContain('a-2')\n})\n",
    })
    .result('Wrote src/report.test.ts (7 lines)')
    .calls('bash', { command: 'npm test -- report' })
    .result(
      `> reminders@2.8.1 test
> vitest run report

 FAIL  src/report.test.ts > has the newest first
ReferenceError: outcome is not defined
 ❯ src/report.test.ts:5:23

 Test Files  1 failed (1)
      Tests  1 failed (1)
   Duration  288ms
Exit code: 1`,
    )
    .calls('read_file', { path: 'src/outcome-store.test.ts' })
    .result(
      `import { expect, it } from 'vitest'
import { memoryDatabase } from './database.ts'
import { outcomesSince } from './outcome-store.ts'

function stored(appointmentId: string, status: string, minute: number) {
  const at = new Date(Date.UTC(2026, 2, 1, 9, minute)).toISOString()
  return { appointment_id: appointmentId, status, message_id: null, fee_cents: 7, phone: '+49 30 5550123', at }
}

it('has the outcomes since a time, oldest first', () => {
  const database = memoryDatabase([stored('a-1', 'sent', 1), stored('a-2', 'failed', 2)])
  const [found] = outcomesSince(database, new Date(0))
  expect(found.feeCents).toBe(7)
})`,
    )
    .calls('edit_file', {
      path: 'src/report.test.ts',
      find: "import { reportLines } from './report.ts'",
      replace:
        "import { reportLines } from './report.ts'\n\nfunction outcome(appointmentId: string, status: 'failed' | 'refused', minute: number) {\n  const at = new Date(Date.UTC(2026, 2, 1, 9, minute))\n  return { appointmentId, status, messageId: null, feeCents: 7, phone: '+49 30 5550123', at }\n}",
    })
    .result('1 replacement in src/report.test.ts')
    .calls('bash', { command: 'npm test -- report' })
    .result(
      `> reminders@2.8.1 test
> vitest run report

 Test Files  1 passed (1)
      Tests  1 passed (1)
   Duration  291ms
Exit code: 0`,
    )
    .calls('grep', { pattern: 'NumberFormat|toFixed', path: 'src' })
    .result(
      [
        "src/invoice.ts:31:  return new Intl.NumberFormat('de', { style: 'currency', currency: 'EUR' }).format(cents / 100)",
        'src/invoice.ts:44:  const average = (total / count).toFixed(2)',
      ].join('\n'),
    )
    .calls('read_file', { path: 'src/invoice.ts' })
    .result(
      `import type { StoredOutcome } from './outcome-store.ts'

/** What a practice pays for a month, a line for each day. */
export function invoiceLines(outcomes: readonly StoredOutcome[]): readonly string[] {
  const days = Map.groupBy(outcomes, ({ at }) => at.toISOString().slice(0, 10))
  return [...days].map(([day, all]) => day + '  ' + all.length + '  ' + inEuros(feesOf(all)))
}

export function feesOf(outcomes: readonly StoredOutcome[]): number {
  return outcomes.reduce((sum, { feeCents }) => sum + feeCents, 0)
}

export function inEuros(cents: number): string {
  return new Intl.NumberFormat('de', { style: 'currency', currency: 'EUR' }).format(cents / 100)
}

/** For the yearly letter only: a mean of fees is no fee. */
export function averageFee(outcomes: readonly StoredOutcome[]): string {
  const total = feesOf(outcomes)
  const count = Math.max(1, outcomes.length)
  const average = (total / count).toFixed(2)
  return average + ' cents'
}`,
    )
    .calls('edit_file', {
      path: 'src/report.ts',
      find: 'export function reportLines(',
      replace:
        "export function totalLine(outcomes: readonly StoredOutcome[]): string {\n  return 'total ' + inEuros(feesOf(outcomes))\n}\n\nexport function reportLines(",
    })
    .result('1 replacement in src/report.ts')
    .calls('write_file', {
      path: 'scripts/report.ts',
      content:
        "import { parseArgs } from 'node:util'\nimport { openDatabase } from '../src/database.ts'\nimport { outcomesSince } from '../src/outcome-store.ts'\nimport { reportLines, totalLine } from '../src/report.ts'\n\nconst { values } = parseArgs({ options: { since: { type: 'string' } } })\nconst outcomes = outcomesSince(openDatabase('reminders.db'), new Date(values.since ?? 0))\nfor (const line of [...reportLines(outcomes), totalLine(outcomes)]) console.log(line)\n",
    })
    .result('Wrote scripts/report.ts (8 lines)')
    .calls('edit_file', {
      path: 'package.json',
      find: '"start": "node src/main.ts"',
      replace: '"start": "node src/main.ts",\n    "report": "node scripts/report.ts"',
    })
    .result('1 replacement in package.json')
    .calls('bash', { command: 'npm run report -- --since 2026-03-01' })
    .result(
      `> reminders@2.8.1 report
> node scripts/report.ts --since 2026-03-01

2026-03-01T19:40:02.000Z apt-20931 refused
2026-03-01T19:40:02.000Z apt-20930 refused
2026-03-01T10:15:00.000Z apt-20877 failed
2026-03-01T09:00:04.000Z apt-20854 failed
total 18,27 €
Exit code: 0`,
    )
}
