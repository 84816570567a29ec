import { type TotalsLine, type TotalsPair, totalsLines, totalsPairs } from './test-runners-data.ts'

export interface TestCounts {
  readonly passed: number
  readonly failed: number
}

/** Skips output without test results, which is nearly all output. */
const mentionsTests =
  /\b(?:pass(?:ed|ing)?|fail(?:ed|ing|ures?)?|Ran \d{1,7})\b|^(?:not )?ok |--- PASS/im

export function testCountsIn(text: string): TestCounts | null {
  if (!mentionsTests.test(text)) return null
  const line = (form: TotalsLine) => {
    const lastLine = text.match(form.line)?.at(-1)
    return lastLine === undefined ? null : totalsIn(lastLine, form)
  }
  const pair = (form: TotalsPair) => pairIn(text, form)
  // More specific forms come before those that they contain.
  return (
    line(totalsLines.vitest) ??
    line(totalsLines.jest) ??
    cargoCounts(text) ??
    line(totalsLines.maven) ??
    unittestCounts(text) ??
    tapCounts(text) ??
    pair(totalsPairs.nodeTest) ??
    line(totalsLines.pytest) ??
    pair(totalsPairs.mocha) ??
    bunCounts(text) ??
    line(totalsLines.rspec) ??
    line(totalsLines.dotnet) ??
    goCounts(text)
  )
}

function totalsIn(line: string, { passed, ran, failed, skipped }: TotalsLine): TestCounts {
  const number = (pattern?: RegExp) => Number(pattern?.exec(line)?.[1] ?? 0)
  const failures = failed.reduce((sum, pattern) => sum + number(pattern), 0)
  const passes = ran === undefined ? number(passed) : number(ran) - failures - number(skipped)
  return { passed: passes, failed: failures }
}

function pairIn(text: string, { passed, failed }: TotalsPair): TestCounts | null {
  const lines = [text.match(passed)?.at(-1), text.match(failed)?.at(-1)]
  if (lines.every((line) => line === undefined)) return null
  const [passes = 0, failures = 0] = lines.map((line) => Number(/\d{1,7}/.exec(line ?? '0')))
  return { passed: passes, failed: failures }
}

function cargoCounts(text: string): TestCounts | null {
  const lines = text.match(totalsLines.cargo.line)
  if (lines === null) return null
  let [passed, failed] = [0, 0]
  for (const line of lines) {
    const counts = totalsIn(line, totalsLines.cargo)
    passed += counts.passed
    failed += counts.failed
  }
  return { passed, failed }
}

function unittestCounts(text: string): TestCounts | null {
  const ran = /^Ran (\d{1,7}) tests? in /m.exec(text)
  if (ran === null) return null
  const end = text.match(totalsLines.unittest.line)?.at(-1) ?? ''
  const counts = totalsIn(`${ran[0]}${end}`, { ...totalsLines.unittest, ran: /^Ran (\d{1,7})/ })
  return { ...counts, passed: Math.max(0, counts.passed) }
}

function tapCounts(text: string): TestCounts | null {
  if (!/^(?:TAP version 1\d|1\.\.\d{1,7})[ \t\r]{0,9}$/m.test(text)) return null
  const failed = count(text, /^not ok \d/gm)
  const passed = count(text, /^ok \d/gm)
  return pairIn(text, totalsPairs.nodeTest) ?? (passed + failed === 0 ? null : { passed, failed })
}

function bunCounts(text: string): TestCounts | null {
  const { passed, failed } = totalsPairs.bun
  return count(text, passed) * count(text, failed) === 0 ? null : pairIn(text, totalsPairs.bun)
}

/** Counts tests where Go lists them, else packages. Indented lines are subtests. */
function goCounts(text: string): TestCounts | null {
  const failed = count(text, /^--- FAIL: /gm)
  const passed = count(text, /^--- PASS: /gm)
  if (passed > 0) return { passed, failed }
  const packagesPassed = count(text, /^ok {1,4}\t?\S{1,200}[ \t]{1,9}(?:[\d.]{1,12}s|\(cached\))/gm)
  const packagesFailed = count(text, /^FAIL\t\S/gm)
  if (packagesPassed + packagesFailed + failed === 0) return null
  return { passed: packagesPassed, failed: Math.max(failed, packagesFailed) }
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}
