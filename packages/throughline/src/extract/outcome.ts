/** What came of a call, read from what its tool said: exit codes, failures, results of tests. */
import { type TestCounts, testCountsIn } from './test-counts.ts'
import type { ToolReport } from './tool-report.ts'

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

/**
 * The line of an output that tells of a failure. A word alone is no failure: there are files
 * about errors, and "0 errors" is good news. So a line has to have the form of one; where it
 * is known that something failed, the word is enough.
 */
const lineCharacters = 200

/** The first line that has the form of a failure. */
export function errorLineIn(text: string): string | null {
  return firstLine(text, (line) => forms.some((form) => form.test(line)))
}

/** Of what has failed: the line with the form, or else the first with a word for it. */
function failureLineIn(text: string): string | null {
  return errorLineIn(text) ?? firstLine(text, (line) => words.test(line))
}

function firstLineIn(text: string): string | null {
  for (const line of text.split('\n')) {
    const start = line.slice(0, lineCharacters).trim()
    if (start !== '' && !isExit.test(start)) return start.toWellFormed()
  }
  return null
}

/** Lines without any word for it, which are nearly all, are never cut out. */
function firstLine(text: string, isIt: (line: string) => boolean): string | null {
  const hint = new RegExp(words.source, 'gi')
  for (let found = hint.exec(text); found !== null; found = hint.exec(text)) {
    const from = text.lastIndexOf('\n', found.index) + 1
    const start = text.slice(from, from + lineCharacters).split('\n', 1)[0] ?? ''
    const rest = isNone.test(start) ? start.replace(none, ' ') : start
    if (!isExit.test(start) && isIt(rest)) return start.trim().toWellFormed()
    const end = text.indexOf('\n', found.index)
    if (end === -1) return null
    hint.lastIndex = end + 1
  }
  return null
}

/** How a command ended is said elsewhere. */
const isExit =
  /^\W{0,3}(?:Error: )?(?:Command |Process )?(?:exit(?:ed)?|failed)(?: with)?(?: exit)? ?(?:code|status)[:= ]/i

const words =
  /\b(?:errors?|exceptions?|failed|failures?|fatal|panic(?:ked)?|cannot|can't|could not|unable to|traceback|denied|not found|no such|invalid|refused|timed out|killed|aborted|rejected|does not exist|critical|is a directory|not a directory|fail|err|tool_use_error)\b|[a-z](?:Error|Exception)\b|\*{3} /i

const forms: readonly RegExp[] = [
  // `Error: …`, `error[E0382]: …`, `fatal: …`, `panic: …`, with the mark that runners set before.
  /^[\s>*✖✗×❌⨯!•|E-]{0,9}(?:\[?(?:uncaught |unhandled |internal |fatal |syntax |runtime |compile |build )?(?:error|fatal|panic|exception|failure|failed)\]?)(?::|!|\[|\(| TS\d| [A-Z]{1,5}\d{2,5}\b)/i,
  /^\W{0,9}(?:Failed to|Unable to|Could not|Cannot|Can't) \S/i,
  /^Traceback \(most recent call last\)/,
  // `TypeError: …`, also after the place or the thread where it was thrown.
  /^(?:\S{1,120}: |Uncaught |Caused by: |Exception in thread \S{1,60} |E {1,8})?(?:[\w.$]{1,120}\.)?[A-Z]\w{0,60}(?:Error|Exception)(?::|$)/,
  // `src/a.ts:3:1: error: …`, `src/a.ts(3,1): error TS2304: …`, `src/a.ts:3:1 - error …`
  /^\S{1,200}(?::\d{1,7}|\(\d{1,7},\d{1,7}\))(?::| -)? {0,2}(?:fatal )?error\b/i,
  /^(?:npm (?:ERR!|error)|error Command failed|make(?:\[\d\])?: \*\*\*|FAILED? \S{1,200}[./:]|thread '[^']{1,60}' panicked)/,
  // What a program says of a file or of itself.
  /^[\w./-]{1,120}: [^\n]{0,150}(?:No such file or directory|command not found|Permission denied|not found$|cannot \w|Is a directory|Not a directory)/,
  // A level of a log, where logs have it.
  /^(?:\S{1,40} ){0,3}\[?(?:ERROR|FATAL|CRITICAL)\]?(?::| )\s?\S/,
  /^\s{0,20}\{?\s{0,20}"(?:error|errors|exception)"\s?:\s?(?:"[^"]|\{\s{0,9}"|\[\s{0,9}["{])/,
  /^\s{0,20}\{?\s{0,20}"(?:status|type|result)"\s?:\s?"(?:error|failed|failure)"/,
  /^<(?:error|tool_use_error)>/,
]

/** "0 errors" is none, and neither are "error: null" and "Error: (none)". */
const none =
  /\b(?:0|no|zero|without(?: any)?)\s{1,4}(?:[a-z]{1,20}\s{1,4})?(?:errors?|exceptions?|failures?|failed)\b|\b(?:errors?|exceptions?|failures?|failed|stderr)["']?\s{0,9}[:=]\s{0,9}(?:0\b|null\b|nil\b|none\b|false\b|undefined\b|\(none\)|\(empty\)|""|''|\[\]|\{\})|\berror[- ]free\b/gi
const isNone = new RegExp(none.source, 'i')

/**
 * What a failure says in full: from the line that tells of it to the next empty line, which is
 * where compilers and runtimes end what they have to say.
 */
const blockCharacters = 400
const headShare = 0.6
const gap = ' … '

/** In a long one the first lines say what failed, and the last ones where and why. */
export function errorBlockIn(text: string, errorLine: string): string {
  const at = text.indexOf(errorLine)
  if (at === -1) return cut(errorLine)
  const rest = text.slice(at)
  const end = emptyLine.exec(rest)?.index ?? rest.length
  return cut(rest.slice(0, end).trim())
}

const emptyLine = /\n[ \t\r]{0,100}\n/

function cut(block: string): string {
  if (block.length <= blockCharacters) return block.toWellFormed()
  const head = Math.floor(blockCharacters * headShare)
  const tail = blockCharacters - head - gap.length
  return `${block.slice(0, head).trimEnd()}${gap}${block.slice(-tail).trimStart()}`.toWellFormed()
}
