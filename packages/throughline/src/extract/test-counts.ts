/** The sums that runners of tests print, each in its own form; the last one of a kind counts. */
export interface TestCounts {
  readonly passed: number
  readonly failed: number
}

type Runner = (text: string) => TestCounts | null

/** Nearly all outputs are none of tests, and are passed over at once. */
const hint = /\b(?:pass(?:ed|ing)?|fail(?:ed|ing|ures?)?|Ran \d{1,7})\b|^(?:not )?ok |--- PASS/im

/** Null where no tests were run. */
export function testCountsIn(text: string): TestCounts | null {
  if (!hint.test(text)) return null
  for (const runner of runners) {
    const counts = runner(text)
    if (counts !== null) return counts
  }
  return null
}

/** Runners whose sum is one line. */
const vitest = lineRunner(/^[ \t]{0,20}Tests {1,10}\d[^\n]{0,200}\(\d{1,7}\)/gm, passedAndFailed)
const jest = lineRunner(/^Tests: {1,12}\d[^\n]{0,200}\btotal\b/gm, passedAndFailed)
const maven = lineRunner(/\bTests run: {0,4}\d{1,7}, {0,4}Failures[^\n]{0,200}/g, (line) => {
  const failed = after(line, 'Failures') + after(line, 'Errors')
  return { passed: after(line, 'Tests run') - failed - after(line, 'Skipped'), failed }
})
/** `=== 2 failed, 10 passed, 1 error in 0.12s ===`, with the bars or without. */
const pytest = lineRunner(
  /^=* ?\d{1,7} (?:passed|failed|errors?|skipped|deselected)\b[^\n]{0,200} in [\d.]{1,12}s/gm,
  (line) => ({
    passed: before(line, 'passed'),
    failed: before(line, 'failed') + before(line, 'error'),
  }),
)
const rspec = lineRunner(/^\d{1,7} examples?, \d{1,7} failures?/gm, (line) => {
  const failed = before(line, 'failure')
  return { passed: before(line, 'example') - failed, failed }
})
const dotnet = lineRunner(/\bFailed: {1,9}\d{1,7}, Passed: {1,9}\d{1,7}/g, (line) => ({
  passed: after(line, 'Passed'),
  failed: after(line, 'Failed'),
}))

/** Runners that print each sum in a line of its own; one may be missing. */
const nodeTest = pairRunner(/^(?:#|ℹ) pass \d{1,7}/gm, /^(?:#|ℹ) fail \d{1,7}/gm)
const mocha = pairRunner(
  /^[ \t]{0,9}(?:✔ )?\d{1,7} (?:passing|passed)\b(?: \([^\n)]{1,20}\))?[ \t\r]{0,9}$/gm,
  /^[ \t]{0,9}(?:✖ )?\d{1,7} (?:failing|failed)[ \t\r]{0,9}$/gm,
)
const bunPassed = /^ {0,4}\d{1,7} pass[ \r]{0,4}$/gm
const bunFailed = /^ {0,4}\d{1,7} fail[ \r]{0,4}$/gm
const bun: Runner = (text) =>
  count(text, bunPassed) * count(text, bunFailed) === 0
    ? null
    : pairRunner(bunPassed, bunFailed)(text)

/** Forms that say more come before those that could be part of them. */
const runners: readonly Runner[] = [
  ...[vitest, jest, cargo, maven, unittest, tap, nodeTest],
  ...[pytest, mocha, bun, rspec, dotnet, goTest],
]

function lineRunner(pattern: RegExp, read: (line: string) => TestCounts): Runner {
  return (text) => {
    const line = lastLine(text, pattern)
    return line === null ? null : read(line)
  }
}

function pairRunner(passedPattern: RegExp, failedPattern: RegExp): Runner {
  return (text) => {
    const passed = lastLine(text, passedPattern)
    const failed = lastLine(text, failedPattern)
    if (passed === null && failed === null) return null
    return { passed: number(passed), failed: number(failed) }
  }
}

function passedAndFailed(line: string): TestCounts {
  return { passed: before(line, 'passed'), failed: before(line, 'failed') }
}

/** One sum for each program that holds tests. */
function cargo(text: string): TestCounts | null {
  const sums = text.match(/^test result: [^\n]{0,200}/gm)
  if (sums === null) return null
  return sums
    .map(passedAndFailed)
    .reduce((all, one) => ({ passed: all.passed + one.passed, failed: all.failed + one.failed }))
}

function unittest(text: string): TestCounts | null {
  const ran = /^Ran (\d{1,7}) tests? in /m.exec(text)?.[1]
  if (ran === undefined) return null
  const end = lastLine(text, /^(?:FAILED|OK)(?: \([^\n)]{1,200}\))?/gm) ?? ''
  const failed = after(end, 'failures') + after(end, 'errors')
  return { passed: Math.max(0, Number(ran) - failed - after(end, 'skipped')), failed }
}

function tap(text: string): TestCounts | null {
  if (!/^(?:TAP version 1\d|1\.\.\d{1,7})[ \t\r]{0,9}$/m.test(text)) return null
  const failed = count(text, /^not ok \d/gm)
  const passed = count(text, /^ok \d/gm)
  return nodeTest(text) ?? (passed + failed === 0 ? null : { passed, failed })
}

/** Tests where they are named one by one, else their packages. What is indented is a part of a test. */
function goTest(text: string): TestCounts | null {
  const failed = count(text, /^--- FAIL: /gm)
  const passed = count(text, /^--- PASS: /gm)
  if (passed > 0) return { passed, failed }
  const packagesPassed = count(text, /^ok {1,4}\t?\S{1,200}[ \t]{1,9}(?:[\d.]{1,12}s|\(cached\))/gm)
  const packagesFailed = count(text, /^FAIL\t\S/gm)
  if (packagesPassed + packagesFailed + failed === 0) return null
  return { passed: packagesPassed, failed: Math.max(failed, packagesFailed) }
}

function lastLine(text: string, pattern: RegExp): string | null {
  return text.match(pattern)?.at(-1) ?? null
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}

function before(line: string, word: string): number {
  return number(new RegExp(`(\\d{1,7}) ${word}`).exec(line)?.[0] ?? null)
}

function after(line: string, word: string): number {
  return number(new RegExp(`${word}[:=] {0,9}\\d{1,7}`).exec(line)?.[0] ?? null)
}

function number(text: string | null): number {
  return Number(/\d{1,7}/.exec(text ?? '')?.[0] ?? 0)
}
