/**
 * How the session of docs/compaction.md continues after its compaction, also made up, so that the
 * follow-up has requests to evaluate.
 */
import type { Builder } from 'throughline/testing'

/** Thirty more model requests and their results. */
export function later(chat: Builder): Builder {
  return finish(practice(chat))
}

function practice(chat: Builder): Builder {
  return chat
    .says(
      '`npm run report -- --since 2026-03-01` prints four reminders that were not delivered, newest first, and the total, 18,27 €.',
    )
    .user('The line has the phone too. And what is apt-20877, why did it fail?')
    .calls('read_file', { path: 'src/report.ts' })
    .result(
      `import { feesOf, inEuros } from './invoice.ts'
import { type StoredOutcome, outcomesSince } from './outcome-store.ts'

export function totalLine(outcomes: readonly StoredOutcome[]): string {
  return 'total ' + inEuros(feesOf(outcomes))
}`,
    )
    .calls('write_file', {
      path: 'src/mask-phone.ts',
      content:
        "/** The last three digits are enough to find it. */\nexport function maskPhone(phone: string): string {\n  return '…' + phone.slice(-3)\n}\n",
    })
    .result('Wrote src/mask-phone.ts (4 lines)')
    .calls('edit_file', {
      path: 'src/report.ts',
      find: "appointmentId + ' ' + status",
      replace: "appointmentId + ' ' + maskPhone(phone) + ' ' + status",
    })
    .result('1 replacement in src/report.ts')
    .calls('bash', { command: 'npm test -- report' })
    .result(' Test Files  1 passed (1)\n      Tests  1 passed (1)\nExit code: 0')
    .calls('bash', { command: 'grep apt-20877 logs/worker.jsonl' })
    .result('{"event":"reminder","id":"apt-20877","status":"failed"}\nExit code: 0')
    .calls('read_file', { path: 'src/sms-gateway.ts' })
    .result(
      "export interface Outcome {\n  readonly status: 'sent' | 'refused' | 'failed'\n  readonly messageId: string | null\n  readonly feeCents: number\n}",
    )
    .calls('grep', { pattern: 'outcomeOf', path: 'src' })
    .result('src/sms-gateway.ts:28:function outcomeOf(body: GatewayReply): Outcome {')
    .calls('bash', { command: 'sed -n 28,40p src/sms-gateway.ts' })
    .result(
      "function outcomeOf(body: GatewayReply): Outcome {\n  if (body.error === 'number_unreachable') return failed(body)\n}\nExit code: 0",
    )
    .says(
      'The line has the last three digits of the phone now. apt-20877 failed because the gateway could not reach the number (`number_unreachable`).',
    )
}

function finish(chat: Builder): Builder {
  return chat
    .user('Good. Does the worker wait long enough before it tries again what was refused?')
    .calls('read_file', { path: 'src/worker.ts' })
    .result(
      'const retryMs = 60_000\n\nexport async function runWorker(queue: ReminderQueue, gateway: SmsGateway, clock: Clock) {\n  for (const reminder of queue.takeDue(clock.now())) {',
    )
    .calls('grep', { pattern: 'retryMs', path: 'src' })
    .result(
      "src/worker.ts:1:const retryMs = 60_000\nsrc/worker.ts:19:    if (outcome.status === 'refused') queue.push(later(reminder, retryMs))",
    )
    .says(
      'It waits a minute (`retryMs`) and then asks `isQuiet` again, so nothing refused at 20:59 goes out at night. With `rateLimit` of 5 a second a refusal should be rare.',
    )
    .user('Write a test for that, at the edge of the quiet hours.')
    .calls('bash', { command: 'ls src/*.test.ts' })
    .result('src/outcome-store.test.ts\nsrc/quiet-hours.test.ts\nsrc/report.test.ts\nExit code: 0')
    .calls('write_file', {
      path: 'src/worker.test.ts',
      content:
        "it('puts a refused reminder off until the quiet hours end', async () => {\n  const clock = fixedClock('2026-03-01T19:59:30Z')\n  await runWorker(queue, refusing(gateway), clock)\n  expect(queue.takeDue(nextLoudHour(clock.now(), defaultZone))).toHaveLength(1)\n})\n",
    })
    .result('Wrote src/worker.test.ts (5 lines)')
    .calls('bash', { command: 'npm test -- worker' })
    .result(
      ' FAIL  src/worker.test.ts\nReferenceError: fixedClock is not defined\n      Tests  1 failed (1)\nExit code: 1',
    )
    .calls('grep', { pattern: 'Clock', path: 'src/testing' })
    .result('src/testing/clock.ts:3:export function clockAt(iso: string): Clock {')
    .calls('edit_file', { path: 'src/worker.test.ts', find: 'fixedClock(', replace: 'clockAt(' })
    .result('1 replacement in src/worker.test.ts')
    .calls('bash', { command: 'npm test -- worker' })
    .result('      Tests  1 passed (1)\nExit code: 0')
    .calls('bash', { command: 'TZ=Asia/Tokyo npm test -- quiet-hours' })
    .result('      Tests  9 passed (9)\nExit code: 0')
    .calls('bash', { command: 'npm test' })
    .result('      Tests  99 passed (99)\nExit code: 0')
    .calls('bash', { command: 'git add -A && git commit -m "report: what was not delivered"' })
    .result('[time-zones 41d09be] report: what was not delivered\nExit code: 0')
    .calls('bash', { command: 'git log --oneline 8c41f7e..HEAD' })
    .result('41d09be report: what was not delivered\nExit code: 0')
    .says('Committed as 41d09be behind 8c41f7e. All 99 tests pass, in Asia/Tokyo too.')
    .user('Did batch 5e1c9a70 cost us anything?')
    .calls('bash', {
      command: 'npm run report -- --since 2026-03-01 --batch 5e1c9a70-3f0b-4b52-9d27-6a1c0f4d8e21',
    })
    .result("TypeError: Unknown option '--batch'\nExit code: 1")
    .calls('bash', { command: 'npm run try-sandbox -- --help' })
    .result('--messages N   how many\n--fees BATCH   what a batch cost\nExit code: 0')
    .calls('bash', {
      command: 'npm run try-sandbox -- --fees 5e1c9a70-3f0b-4b52-9d27-6a1c0f4d8e21',
    })
    .result('0 cents (sandbox-7741)\nExit code: 0')
    .says('Nothing: the sandbox account sandbox-7741 has no fees.')
    .user('Then write down in the README how to run the report.')
    .calls('read_file', { path: 'README.md' })
    .result('# reminders\n\nSends reminders of appointments by SMS.\n\n## Run\n\n`npm start`')
    .calls('edit_file', {
      path: 'README.md',
      find: '`npm start`',
      replace: '`npm start`\n\n`npm run report -- --since 2026-03-01`',
    })
    .result('1 replacement in README.md')
    .calls('bash', { command: 'git commit -am "docs: how to run the report"' })
    .result('[time-zones 77ab3c2] docs: how to run the report\nExit code: 0')
    .says('Done, committed as 77ab3c2.')
}
