import { failureForms, failureWords, noFailure, repeatsExitCode } from './outcome-forms-data.ts'
import { type TestCounts, testCountsIn } from './test-counts.ts'
import type { ToolReport } from './tool-report.ts'

export interface Outcome {
  /** Partial: nothing failed, and nothing was found. */
  readonly status: 'success' | 'error' | 'partial' | 'unknown'
  readonly exitCode: number | null
  readonly error: string | null
  readonly tests: TestCounts | null
}

// A tool reports how it ended at the start or at the end; the middle may be megabytes.
const edgeCharacters = 8_000

export function outcomeIn(report: ToolReport, isError: boolean): Outcome {
  const { exitCode } = report
  const edges = outputEdges(report.text)
  const tests = testCountsIn(edges)
  const failed =
    isError || report.failed || (exitCode !== null && exitCode !== 0) || (tests?.failed ?? 0) > 0
  const error = failed
    ? (firstTextLine((report.error ?? '').slice(0, lineCharacters)) ??
      failureLineIn(edges) ??
      (isError ? firstTextLine(edges) : null))
    : // Without an exit code and without tests, the words decide.
      exitCode === null && tests === null
      ? errorLineIn(edges)
      : null
  return { status: failed || error !== null ? 'error' : 'success', exitCode, error, tests }
}

export function outputEdges(text: string): string {
  const edges =
    text.length <= edgeCharacters * 2
      ? text
      : `${text.slice(0, edgeCharacters)}\n${text.slice(-edgeCharacters)}`
  return edges.includes('\u001b') ? edges.replace(/\u001b\[[0-9;]{0,20}[A-Za-z]/g, '') : edges
}

const lineCharacters = 200

/** A failure word alone is no failure ("0 errors"): the line must have the form of one. */
export function errorLineIn(text: string): string | null {
  return firstFailure(text, (line) => failureForms.some((form) => form.test(line)))
}

/** For a call that is known to have failed: a line with a failure word is enough. */
function failureLineIn(text: string): string | null {
  return errorLineIn(text) ?? firstFailure(text, (line) => failureWords.test(line))
}

function firstTextLine(text: string): string | null {
  for (const line of text.split('\n')) {
    const start = line.slice(0, lineCharacters).trim()
    if (start !== '' && !repeatsExitCode.test(start)) return start.toWellFormed()
  }
  return null
}

function firstFailure(text: string, matches: (line: string) => boolean): string | null {
  for (const line of text.split('\n')) {
    const start = line.slice(0, lineCharacters)
    if (!failureWords.test(line) || repeatsExitCode.test(start)) continue
    if (matches(start.replace(noFailure, ' '))) return start.trim().toWellFormed()
  }
  return null
}

const blockCharacters = 400
const headShare = 0.6
const gap = ' … '

/** Cuts the middle of a long block: its start says what failed, its end where and why. */
export function errorBlockIn(text: string, errorLine: string): string {
  const at = text.indexOf(errorLine)
  if (at === -1) return cut(errorLine)
  const rest = text.slice(at)
  const end = emptyLine.exec(rest)?.index ?? rest.length
  return cut(rest.slice(0, end).trim())
}

/** Compilers and runtimes end their report with an empty line. */
const emptyLine = /\n[ \t\r]{0,100}\n/

function cut(block: string): string {
  if (block.length <= blockCharacters) return block.toWellFormed()
  const head = Math.floor(blockCharacters * headShare)
  const tail = blockCharacters - head - gap.length
  return `${block.slice(0, head).trimEnd()}${gap}${block.slice(-tail).trimStart()}`.toWellFormed()
}
