/** Part of the session about a report of undelivered messages, up to the middle of the last task. */
import type { Builder } from 'throughline/testing'

export function report(chat: Builder): Builder {
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
