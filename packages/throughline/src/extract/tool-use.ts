import {
  type ToolCallPart,
  type ToolOutput,
  type ToolResultPart,
  textsOfOutput,
} from '../domain/message.ts'
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
  readonly lines: number
  readonly hits: SearchHits | null
  readonly outline: CodeOutline | null
  readonly arguments: Arguments
  readonly report: ToolReport
}

const none: Arguments = readArguments('{}')
const nothing: ToolReport = { text: '', exitCode: null, failed: false, error: null }

export function readToolUse(call: ToolCallPart | null, result: ToolResultPart | null): ToolUse {
  const tool = call?.name ?? result?.name ?? 'unknown'
  const { given, family, command } = call === null ? parseCall(tool, none) : parsedCallOf(call)
  const report = result === null ? nothing : readReport(outputText(result.output))
  const hits = result === null || family !== 'search' ? null : searchHitsIn(report.text)
  const shown = family === 'write' ? (given.content ?? '') : report.text
  return {
    tool,
    family,
    subject: subjectOf(family, given, command),
    files: filesOf({ family, given, command }, hits?.paths ?? []),
    outcome: result === null ? null : outcomeFor({ family, command }, report, result.isError),
    lines: countLines(report.text),
    hits,
    outline:
      given.path !== null && (family === 'read' || family === 'write')
        ? outlineOf(given.path, shown)
        : null,
    arguments: given,
    report,
  }
}

interface ParsedCall {
  readonly given: Arguments
  readonly family: ToolFamily
  readonly command: ShellUse | null
}

function parseCall(tool: string, given: Arguments): ParsedCall {
  const family = familyOf(tool, given)
  const command = family === 'shell' ? readCommand(given.shell ?? given.program ?? '') : null
  return { given, family, command }
}

/** A call is read twice: on its own, and with its result. */
const parsedCalls = new WeakMap<ToolCallPart, ParsedCall>()

function parsedCallOf(call: ToolCallPart): ParsedCall {
  const read = parsedCalls.get(call) ?? parseCall(call.name, readArguments(call.input))
  parsedCalls.set(call, read)
  return read
}

/** Content that a tool shows may mention errors without being one. */
function outcomeFor(
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
  const isShown = contentFamilies.has(family) || command?.onlyShowsText === true
  return failed || !isShown || isOwnFailure(report.text, command)
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
  return textsOfOutput(output).join('\n')
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

function subjectOf(family: ToolFamily, given: Arguments, command: ShellUse | null): string | null {
  return firstLine(aboutOf(family, given, command)) ?? firstLine(shortest(given.values))
}

function aboutOf(family: ToolFamily, given: Arguments, command: ShellUse | null): string | null {
  switch (family) {
    case 'shell':
      return command?.gist ?? null
    case 'search':
      return given.query ?? given.path
    case 'web':
    case 'http':
      return given.address ?? given.query ?? given.path
    case 'database':
      return given.text('sql') ?? given.query ?? given.shell
    case 'patch':
      return given.patch === null ? given.path : listed(patchedFiles(given.patch), given.path)
    case 'agent':
      return given.text('description') ?? given.text('task') ?? given.text('prompt')
    default:
      return given.path ?? (given.paths.join(', ') || null) ?? given.address ?? given.query
  }
}

function listed(files: readonly { readonly path: string }[], path: string | null): string | null {
  return files.length === 0 ? path : files.map((file) => file.path).join(', ')
}

/** Describes other tools by their short arguments; a long one is content. */
function shortest(values: readonly string[]): string | null {
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

function filesOf(
  { family, given, command }: ParsedCall,
  found: readonly string[],
): readonly FileUse[] {
  const patched = given.patch === null ? [] : patchedFiles(given.patch)
  if (patched.length > 0)
    return patched.map(({ path, change: did }) => ({
      path,
      did: did === 'added' ? 'written' : did,
    }))
  if (command !== null)
    return [
      ...command.reads.map(used('read')),
      ...command.writes.map(used('edited')),
      ...command.deletes.map(used('deleted')),
    ]
  if (family === 'search') return found.map(used('found'))
  const did = fileUseOf[family]
  if (did === undefined) return []
  return (given.path === null ? given.paths : [given.path]).map(used(did))
}

function used(did: FileUseKind): (path: string) => FileUse {
  return (path) => ({ path, did })
}
