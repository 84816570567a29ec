/** What came of a call, read from what its tool said: exit codes, failures, results of tests. */
import { errorLineIn, failureLineIn, firstLineIn } from './error-line.ts'
import { type TestCounts, testCountsIn } from './test-counts.ts'
import { readReport, type ToolReport } from './tool-report.ts'

export interface Outcome {
  /** Partial: nothing failed, and nothing was found. */
  readonly status: 'success' | 'error' | 'partial' | 'unknown'
  readonly exitCode: number | null
  /** The first line that tells of a failure. */
  readonly error: string | null
  readonly tests: TestCounts | null
}

// A tool says how it ended first or last, and what lies between may be megabytes.
const edgeCharacters = 8_000
const lineCharacters = 200

export function outcomeOf(text: string, isError: boolean): Outcome {
  return outcomeIn(readReport(text), isError)
}

export function outcomeIn(report: ToolReport, isError: boolean): Outcome {
  const { exitCode } = report
  const edges = edgesOf(report.text)
  const tests = testCountsIn(edges)
  const failed =
    isError || report.failed || (exitCode !== null && exitCode !== 0) || (tests?.failed ?? 0) > 0
  const error = failed
    ? (lineOf(report.error) ?? failureLineIn(edges) ?? (isError ? firstLineIn(edges) : null))
    : // Without an exit code and without tests, the words decide.
      exitCode === null && tests === null
      ? errorLineIn(edges)
      : null
  return { status: failed || error !== null ? 'error' : 'success', exitCode, error, tests }
}

function lineOf(error: string | null): string | null {
  return error === null ? null : firstLineIn(error.slice(0, lineCharacters))
}

/** Whole lines from both ends, without the colours of a terminal. */
export function edgesOf(text: string): string {
  const edges =
    text.length <= edgeCharacters * 2
      ? text
      : `${text.slice(0, edgeCharacters)}\n${text.slice(-edgeCharacters)}`
  return edges.includes('\u001b') ? edges.replace(/\u001b\[[0-9;]{0,20}[A-Za-z]/g, '') : edges
}
