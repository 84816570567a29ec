import {
  type ToolCallPart,
  type ToolOutput,
  type ToolResultPart,
  textsOfOutput,
} from '../domain/message.ts'
import { withoutReminders } from '../domain/reminders.ts'
import { type PersonEnding, personEnding } from '../domain/typed-in.ts'
import { type CodeOutline, outlineOf } from './code-outline.ts'
import { type FileUseKind, fileUseOf } from './fact-kinds-data.ts'
import { type Outcome, outcomeIn } from './outcome.ts'
import { programFailure, toolFailure } from './outcome-forms-data.ts'
import { patchedFiles } from './patched-files.ts'
import { isEmptyResult, type SearchHits, searchHitsIn } from './search-hits.ts'
import { readCommand, type ShellUse } from './shell-command.ts'
import { type Arguments, readArguments } from './tool-arguments.ts'
import { familyOf } from './tool-family.ts'
import { readReport, type ToolReport } from './tool-report.ts'
import type { ToolFamily } from './tool-words-data.ts'

export interface ToolUse {
  readonly tool: string
  readonly family: ToolFamily
  /** The subject in one line: a path, a command, a query, an address. */
  readonly subject: string | null
  readonly files: readonly FileUse[]
  /** Null until the call has a result. */
  readonly outcome: Outcome | null
  /** How a person ended the call; null if it ran. */
  readonly ending: PersonEnding | null
  readonly lines: number
  readonly hits: SearchHits | null
  readonly outline: CodeOutline | null
  readonly args: Arguments
  readonly report: ToolReport
}

const noArguments: Arguments = readArguments('{}')
const noReport: ToolReport = { text: '', exitCode: null, failed: false, error: null }

export function readToolUse(call: ToolCallPart | null, result: ToolResultPart | null): ToolUse {
  const tool = call?.name ?? result?.name ?? 'unknown'
  const { args, family, command } =
    call === null ? parseCall(tool, noArguments) : parsedCallOf(call)
  const ending = result && personEnding(result)
  const report =
    result === null || ending !== null ? noReport : readReport(outputText(result.output))
  const hits = result === null || family !== 'search' ? null : searchHitsIn(report.text)
  const shown = family === 'write' ? (args.content ?? '') : report.text
  return {
    tool,
    family,
    subject: firstLine(fullSubjectOf(family, args, command)) ?? firstLine(shortValues(args.values)),
    files: filesOf({ family, args, command }, hits?.paths ?? []),
    outcome: result === null ? null : outcomeOfUse({ family, command }, report, result.isError),
    ending,
    lines: countLines(report.text),
    hits,
    outline:
      args.path !== null && (family === 'read' || family === 'write')
        ? outlineOf(args.path, shown)
        : null,
    args,
    report,
  }
}

interface ParsedCall {
  readonly args: Arguments
  readonly family: ToolFamily
  readonly command: ShellUse | null
}

function parseCall(tool: string, args: Arguments): ParsedCall {
  const family = familyOf(tool, args)
  const command = family === 'shell' ? readCommand(args.shell ?? args.program ?? '') : null
  return { args, family, command }
}

/** A call is read twice: on its own, and with its result. */
const parsedCalls = new WeakMap<ToolCallPart, ParsedCall>()

function parsedCallOf(call: ToolCallPart): ParsedCall {
  const read = parsedCalls.get(call) ?? parseCall(call.name, readArguments(call.input))
  parsedCalls.set(call, read)
  return read
}

/** Content that a tool shows may mention errors without being one. */
function outcomeOfUse(
  { family, command }: Pick<ParsedCall, 'family' | 'command'>,
  report: ToolReport,
  isError: boolean,
): Outcome {
  const { exitCode } = report
  const failed = isError || report.failed || (exitCode ?? 0) !== 0
  const isSearch = family === 'search' || command?.isSearch === true
  // Searches exit with 1 when nothing matches.
  if (isSearch && (exitCode === 1 || !failed) && !report.failed && isEmptyResult(report.text))
    return { status: 'partial', exitCode, error: null, tests: null }
  const isContent = contentFamilies.has(family) || command?.onlyShowsText === true
  return failed || !isContent || isOwnFailure(report.text, command)
    ? outcomeIn(report, isError)
    : { status: 'success', exitCode, error: null, tests: null }
}

const contentFamilies: ReadonlySet<ToolFamily> = new Set(['read', 'search', 'list', 'web', 'plan'])

/** Many tools report a failure only as a short text. */
function isOwnFailure(text: string, command: ShellUse | null): boolean {
  if (text.length > failureCharacters) return false
  return programFailure.test(text) || (command === null && toolFailure.test(text))
}

const failureCharacters = 600

export function outputText(output: ToolOutput): string {
  return withoutReminders(textsOfOutput(output).join('\n'))
}

/** A line break at the end starts no line. */
export function countLines(text: string): number {
  if (text === '') return 0
  let lines = text.endsWith('\n') ? 0 : 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}

interface FileUse {
  readonly path: string
  readonly did: FileUseKind
}

function fullSubjectOf(family: ToolFamily, args: Arguments, command: ShellUse | null) {
  switch (family) {
    case 'shell':
      return command?.gist ?? null
    case 'search':
      return args.query ?? args.path
    case 'web':
    case 'http':
      return args.address ?? args.query ?? args.path
    case 'database':
      return args.text('sql') ?? args.query ?? args.shell
    case 'patch':
      return patchedPaths(args.patch) ?? args.path
    case 'agent':
      return args.text('description') ?? args.text('task') ?? args.text('prompt')
    default:
      return args.path ?? (args.paths.join(', ') || null) ?? args.address ?? args.query
  }
}

function patchedPaths(patch: string | null): string | null {
  const files = patch === null ? [] : patchedFiles(patch)
  return files.length === 0 ? null : files.map(({ path }) => path).join(', ')
}

/** Describes other tools by their short arguments; a long one is content. */
function shortValues(values: readonly string[]): string | null {
  const short = values.filter((value) => value.length > 1 && value.length <= subjectCharacters)
  return short.length === 0 ? null : short.slice(0, 3).join(', ')
}

const subjectCharacters = 120
// Long enough for most paths: half a path is useless.
const lineCharacters = 200

function firstLine(text: string | null): string | null {
  const line = text?.trim().split('\n', 1)[0]?.trim() ?? ''
  if (line === '') return null
  return line.length <= lineCharacters
    ? line.toWellFormed()
    : `${line.slice(0, lineCharacters).toWellFormed()}…`
}

function filesOf({ family, args, command }: ParsedCall, found: readonly string[]) {
  const patched = args.patch === null ? [] : patchedFiles(args.patch)
  if (patched.length > 0)
    return patched.map(({ path, change }) => fileUse(change === 'added' ? 'written' : change)(path))
  if (command !== null)
    return [
      ...command.reads.map(fileUse('read')),
      ...command.writes.map(fileUse('edited')),
      ...command.deletes.map(fileUse('deleted')),
    ]
  if (family === 'search') return found.map(fileUse('found'))
  const did = fileUseOf[family]
  if (did === undefined) return []
  return (args.path === null ? args.paths : [args.path]).map(fileUse(did))
}

function fileUse(did: FileUseKind): (path: string) => FileUse {
  return (path) => ({ path, did })
}
