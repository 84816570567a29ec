/**
 * Renders a tool use: `describeUse` for the narrative, `describeOutcome` for the ledger,
 * `summarizeUse` for digests and summaries; `formatSummary` and `factLine` write it as one line.
 */
import type { ToolSummary } from '../domain/ledger.ts'
import { verbOfFamily } from './fact-kinds-data.ts'
import { oneLine } from './one-line.ts'
import { errorBlockIn, errorLineIn, type Outcome, outputEdges } from './outcome.ts'
import { readCommand } from './shell-command.ts'
import { factValue, familyFacts } from './tool-facts.ts'
import type { ToolUse } from './tool-use.ts'

/** A successful tool use without a named subject is noise. */
export function isWorthReporting({ subject, outcome }: ToolUse): boolean {
  return subject !== null || outcome?.status === 'error'
}

/** `rejected by the user`: such a call changed nothing. Without a mark of the client, its result says so. */
function endingText({ status, isMarked }: NonNullable<ToolUse['ending']>): string {
  return isMarked ? `${status} by the user` : `${status} by the user, as its result says`
}

/** `ran npm test (exit 1; 30 passed, 2 failed)` */
export function describeUse(use: ToolUse): string {
  const { tool, family, subject, outcome, args, ending } = use
  if (ending !== null) {
    // A marked reason is quoted among the user's own words.
    const reason =
      ending.isMarked || ending.reason === null ? '' : ` (${shortReason(ending.reason)})`
    return `${endingText(ending)}: ${tool}${subject === null ? '' : ` ${subject}`}${reason}`
  }
  const isWebSearch = family === 'web' && args.address === null
  const verb = isWebSearch ? 'searched the web for' : (verbOfFamily[family] ?? `used ${tool}`)
  const results = outcome === null ? [] : [...exitDetails(outcome), ...resultDetails(use)]
  const about = subject === null ? '' : ` ${subject}`
  return `${verb}${about}${results.length === 0 ? '' : ` (${results.join('; ')})`}`
}

const errorCharacters = 160

function shortReason(reason: string): string {
  return oneLine(reason).slice(0, errorCharacters).toWellFormed()
}

function exitDetails({ status, exitCode, error, tests }: Outcome): readonly string[] {
  const failed = status === 'error'
  return [
    ...(exitCode === null || (exitCode === 0 && tests !== null) ? [] : [`exit ${exitCode}`]),
    ...(tests === null ? [] : [`${tests.passed} passed, ${tests.failed} failed`]),
    ...(failed && error !== null ? [error.slice(0, errorCharacters).toWellFormed()] : []),
    ...(failed && error === null && exitCode === null && tests === null ? ['failed'] : []),
  ]
}

const maxPaths = 3

function resultDetails({ family, outcome, lines, hits, outline }: ToolUse): readonly string[] {
  if (outcome?.status === 'error') return []
  if (outcome?.status === 'partial') return ['nothing found']
  const { exports = [], importCount = 0 } = outline ?? {}
  const paths = hits?.paths.slice(0, maxPaths) ?? []
  const inFiles = paths.length === 0 ? '' : `: ${paths.join(', ')}`
  return [
    ...(family === 'read' ? [quantity(lines, 'line')] : []),
    ...(hits === null ? [] : [`${hitsText(hits, lines)}${inFiles}`]),
    ...(exports.length === 0 ? [] : [`exports ${exports.join(', ')}`]),
    ...(importCount === 0 ? [] : [`imports ${quantity(importCount, 'module')}`]),
  ]
}

function hitsText({ matches, files }: NonNullable<ToolUse['hits']>, lines: number): string {
  if (matches === 0) return quantity(lines, 'line')
  if (files === 0) return quantity(matches, 'match', 'matches')
  return `${quantity(matches, 'match', 'matches')} in ${quantity(files, 'file')}`
}

function quantity(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`
}

/** `exit 1, 30 passed, 2 failed` */
export function describeOutcome({ outcome, lines, hits, ending }: ToolUse): string {
  if (outcome === null) return 'no result'
  if (ending !== null) return endingText(ending)
  const { exitCode, tests, status } = outcome
  if (status === 'partial') return 'nothing found'
  if (hits !== null && status === 'success') return hitsText(hits, lines)
  const tested = tests === null ? '' : `, ${tests.passed} passed, ${tests.failed} failed`
  const ended = exitCode === null ? (status === 'error' ? 'failed' : 'ok') : `exit ${exitCode}`
  return `${ended}${tested}${tests === null && lines > 1 ? `, ${lines} lines` : ''}`
}

export interface ErrorDetails {
  /** Keeps the whole error block up to a limit, instead of its first line. */
  readonly preserveErrorDetails: boolean
}

export function summarizeUse(use: ToolUse, { preserveErrorDetails }: ErrorDetails): ToolSummary {
  const errorLine = errorLineOf(use)
  const { facts, metadata, status = statusOf(use) } = familyFacts(use, errorLine)
  return {
    toolName: use.tool,
    status,
    keyFacts: [
      ...facts,
      ...(use.outcome === null ? ['No result'] : []),
      ...(use.ending === null ? [] : [`Error: ${endingText(use.ending)}`]),
      ...(errorLine === null ? [] : [`Error: ${errorText(use, errorLine, preserveErrorDetails)}`]),
    ],
    metadata,
  }
}

function statusOf({ outcome }: ToolUse): ToolSummary['status'] {
  if (outcome === null) return 'partial'
  return outcome.status === 'unknown' ? 'success' : outcome.status
}

/** A successful command may still print an error; a command that only shows files does not. */
function errorLineOf({ family, outcome, args, report }: ToolUse): string | null {
  if (outcome === null || outcome.error !== null || family !== 'shell')
    return outcome?.error ?? null
  const { onlyShowsText } = readCommand(args.shell ?? args.program ?? '')
  return onlyShowsText ? null : errorLineIn(outputEdges(report.text))
}

const firstLineCharacters = 100

function errorText({ report }: ToolUse, errorLine: string, inFull: boolean): string {
  if (!inFull) return factValue(errorLine, firstLineCharacters)
  const isInError = report.error?.includes(errorLine) === true
  return errorBlockIn(isInError ? (report.error ?? '') : outputEdges(report.text), errorLine)
}

/**
 * Formats a tool summary as one line. Text from a tool cannot imitate a second fact.
 *
 * @example
 * formatSummary({ toolName: 'read_file', status: 'success', keyFacts: ['File: /app.ts'], metadata: {} })
 * // [✓ read_file: File: /app.ts]
 */
export function formatSummary({ toolName, status, keyFacts }: ToolSummary): string {
  return formatFacts(`${signOfStatus[status]} ${safeToolName(toolName)}`, keyFacts)
}

const signOfStatus: Readonly<Record<ToolSummary['status'], string>> = {
  success: '✓',
  error: '❌',
  partial: '~',
}

/** Tools and users write facts, so a fact must not contain line breaks and separators. */
export function formatFacts(title: string, keyFacts: readonly string[]): string {
  const facts = keyFacts.map(safeFact).filter((fact) => fact !== '')
  return facts.length === 0 ? `[${title}]` : `[${title}: ${facts.join(' | ')}]`
}

/** A pipe without spaces means the same to a shell. */
function safeFact(fact: string): string {
  return oneLine(fact)
    .replaceAll(/ +\| +/g, '|')
    .trim()
    .toWellFormed()
}

const nameCharacters = 100

/** The name as one word without brackets. */
export function safeToolName(name: string): string {
  const word = name.slice(0, nameCharacters).replaceAll(/[\s\p{Cc}[\]|]+/gu, '_')
  return word === '' ? 'unknown' : word.toWellFormed()
}

/** `read_file (success): File: /app.ts | Lines: 100`, for models that write summaries. */
export function factLine(use: ToolUse): string {
  const { toolName, status, keyFacts } = summarizeUse(use, { preserveErrorDetails: true })
  const facts = keyFacts.join(' | ')
  return facts === '' ? `${toolName} (${status})` : `${toolName} (${status}): ${facts}`
}
