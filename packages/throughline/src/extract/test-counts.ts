/** The sums that runners of tests print, each in its own form; the last one of a kind counts. */
export interface TestCounts {
  readonly passed: number
  readonly failed: number
}

type Runner = (text: string) => TestCounts | null

/** Forms that say more stand before those that could be part of them. */
const runners: readonly Runner[] = [
  vitest,
  jest,
  cargo,
  maven,
  unittest,
  tap,
  nodeTest,
  pytest,
  mocha,
  bun,
  rspec,
  dotnet,
  goTest,
]

/** Null where no tests were run. */
export function testCountsIn(text: string): TestCounts | null {
  if (!hint.test(text)) return null
  for (const runner of runners) {
    const counts = runner(text)
    if (counts !== null) return counts
  }
  return null
}

/** Nearly all outputs are none of tests, and are passed over at once. */
const hint = /\b(?:pass(?:ed|ing)?|fail(?:ed|ing|ures?)?|Ran \d{1,7})\b|^(?:not )?ok |--- PASS/im

function vitest(text: string): TestCounts | null {
  return listed(lastLine(text, /^[ \t]{0,20}Tests {1,10}\d[^\n]{0,200}\(\d{1,7}\)/gm))
}

function jest(text: string): TestCounts | null {
  return listed(lastLine(text, /^Tests: {1,12}\d[^\n]{0,200}\btotal\b/gm))
}

/** One sum for each program that holds tests. */
function cargo(text: string): TestCounts | null {
  const sums = text.match(/^test result: [^\n]{0,200}/gm)
  if (sums === null) return null
  return sums
    .map((sum) => ({ passed: before(sum, 'passed'), failed: before(sum, 'failed') }))
    .reduce((all, one) => ({ passed: all.passed + one.passed, failed: all.failed + one.failed }))
}

function maven(text: string): TestCounts | null {
  const line = lastLine(text, /\bTests run: {0,4}\d{1,7}, {0,4}Failures[^\n]{0,200}/g)
  if (line === null) return null
  const failed = behind(line, 'Failures') + behind(line, 'Errors')
  return { passed: behind(line, 'Tests run') - failed - behind(line, 'Skipped'), failed }
}

function unittest(text: string): TestCounts | null {
  const ran = /^Ran (\d{1,7}) tests? in /m.exec(text)?.[1]
  if (ran === undefined) return null
  const end = lastLine(text, /^(?:FAILED|OK)(?: \([^\n)]{1,200}\))?/gm) ?? ''
  const failed = behind(end, 'failures') + behind(end, 'errors')
  return { passed: Math.max(0, Number(ran) - failed - behind(end, 'skipped')), failed }
}

function tap(text: string): TestCounts | null {
  if (!/^(?:TAP version 1\d|1\.\.\d{1,7})[ \t\r]{0,9}$/m.test(text)) return null
  const summed = nodeTest(text)
  if (summed !== null) return summed
  const failed = count(text, /^not ok \d/gm)
  const passed = count(text, /^ok \d/gm)
  return passed + failed === 0 ? null : { passed, failed }
}

function nodeTest(text: string): TestCounts | null {
  const passed = lastLine(text, /^(?:#|ℹ) pass \d{1,7}/gm)
  const failed = lastLine(text, /^(?:#|ℹ) fail \d{1,7}/gm)
  if (passed === null && failed === null) return null
  return { passed: number(passed), failed: number(failed) }
}

/** `=== 2 failed, 10 passed, 1 error in 0.12s ===`, with the bars or without. */
function pytest(text: string): TestCounts | null {
  const line = lastLine(
    text,
    /^=* ?\d{1,7} (?:passed|failed|errors?|skipped|deselected)\b[^\n]{0,200} in [\d.]{1,12}s/gm,
  )
  if (line === null) return null
  const failed = before(line, 'failed') + before(line, 'error')
  return { passed: before(line, 'passed'), failed }
}

/** The sums stand below each other, with what waits between them. */
function mocha(text: string): TestCounts | null {
  const passing = lastLine(
    text,
    /^[ \t]{0,9}(?:✔ )?\d{1,7} (?:passing|passed)\b(?: \([^\n)]{1,20}\))?[ \t\r]{0,9}$/gm,
  )
  const failing = lastLine(text, /^[ \t]{0,9}(?:✖ )?\d{1,7} (?:failing|failed)[ \t\r]{0,9}$/gm)
  if (passing === null && failing === null) return null
  return { passed: number(passing), failed: number(failing) }
}

function bun(text: string): TestCounts | null {
  const passed = lastLine(text, /^ {0,4}\d{1,7} pass[ \r]{0,4}$/gm)
  const failed = lastLine(text, /^ {0,4}\d{1,7} fail[ \r]{0,4}$/gm)
  return passed === null || failed === null
    ? null
    : { passed: number(passed), failed: number(failed) }
}

function rspec(text: string): TestCounts | null {
  const line = lastLine(text, /^\d{1,7} examples?, \d{1,7} failures?/gm)
  if (line === null) return null
  const failed = before(line, 'failure')
  return { passed: before(line, 'example') - failed, failed }
}

function dotnet(text: string): TestCounts | null {
  const line = lastLine(text, /\bFailed: {1,9}\d{1,7}, Passed: {1,9}\d{1,7}/g)
  return line === null ? null : { passed: behind(line, 'Passed'), failed: behind(line, 'Failed') }
}

/**
 * Tests where they are named one by one, else the packages that they stand in. What is
 * indented is a part of a test.
 */
function goTest(text: string): TestCounts | null {
  const failed = count(text, /^--- FAIL: /gm)
  const passed = count(text, /^--- PASS: /gm)
  if (passed > 0) return { passed, failed }
  const packagesPassed = count(text, /^ok {1,4}\t?\S{1,200}[ \t]{1,9}(?:[\d.]{1,12}s|\(cached\))/gm)
  const packagesFailed = count(text, /^FAIL\t\S/gm)
  if (packagesPassed + packagesFailed + failed === 0) return null
  return { passed: packagesPassed, failed: Math.max(failed, packagesFailed) }
}

function listed(line: string | null): TestCounts | null {
  return line === null ? null : { passed: before(line, 'passed'), failed: before(line, 'failed') }
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

function behind(line: string, word: string): number {
  return number(new RegExp(`${word}[:=] {0,9}\\d{1,7}`).exec(line)?.[0] ?? null)
}

function number(text: string | null): number {
  return Number(/\d{1,7}/.exec(text ?? '')?.[0] ?? 0)
}
