/**
 * Extracts the facts of a tool use by tool family, from its arguments first. Results are counted
 * rather than listed.
 */

import { parsedJson } from '../domain/json.ts'
import type { ToolSummary } from '../domain/ledger.ts'
import { type CodeOutline, fileTypeOf, outlineOf } from './code-outline.ts'
import { literalsInOutput, type OutputLiteralKind } from './literals/output-literals.ts'
import { outputEdges } from './outcome.ts'
import { readCommand } from './shell-command.ts'
import { countLines, type ToolUse } from './tool-use.ts'
import type { ToolFamily } from './tool-words-data.ts'

export interface FamilyFacts {
  readonly facts: readonly string[]
  readonly metadata: ToolSummary['metadata']
  /** Set where the family knows the status better than the outcome. */
  readonly status?: ToolSummary['status']
}

export function familyFacts(use: ToolUse, errorLine: string | null): FamilyFacts {
  return factsByFamily[use.family](use, errorLine)
}

const factsByFamily: Readonly<
  Record<ToolFamily, (use: ToolUse, errorLine: string | null) => FamilyFacts>
> = {
  read: readFacts,
  write: writeFacts,
  edit: editFacts,
  patch: editFacts,
  delete: deleteFacts,
  shell: shellFacts,
  search: searchFacts,
  list: listFacts,
  web: webFacts,
  database: databaseFacts,
  http: httpFacts,
  agent: agentFacts,
  plan: otherFacts,
  mcp: otherFacts,
  unknown: otherFacts,
}

/** The text in one line, cut to a number of characters. */
export function factValue(text: string, characters: number): string {
  const line = text
    .slice(0, characters * 4)
    .replace(/\s+/g, ' ')
    .trim()
  if (line.length <= characters && text.length <= characters * 4) return line.toWellFormed()
  return `${line.slice(0, characters - 1).trimEnd()}…`.toWellFormed()
}

function hasFailed({ outcome }: ToolUse): boolean {
  return outcome === null || outcome.status === 'error'
}

function readFacts(use: ToolUse): FamilyFacts {
  const paths = pathsOf(use)
  const path = paths[0] ?? 'unknown'
  const lines = hasFailed(use) ? 0 : use.lines
  const code = hasFailed(use) ? noCode : outlineFor(use, paths[0], use.report.text)
  const { exports, importCount } = code
  return {
    facts: hasFailed(use) ? fileFacts(paths) : textFacts(paths, lines, code),
    metadata: { path, lines, hasExports: exports.length > 0, hasImports: importCount > 0 },
  }
}

function writeFacts(use: ToolUse): FamilyFacts {
  const paths = pathsOf(use)
  const { content } = use.args
  const code = content === null ? noCode : outlineFor(use, paths[0], content)
  const lines = countLines(content ?? '')
  return {
    facts: textFacts(paths, content === null ? null : lines, code),
    metadata: { path: paths[0] ?? 'unknown', lines },
  }
}

function editFacts(use: ToolUse): FamilyFacts {
  const { facts, metadata } = deleteFacts(use)
  const changed = changeOf(use)
  return { facts: changed === null ? facts : [...facts, `Changed: ${changed}`], metadata }
}

function deleteFacts(use: ToolUse): FamilyFacts {
  const paths = pathsOf(use)
  return { facts: fileFacts(paths), metadata: { path: paths[0] ?? 'unknown', files: paths.length } }
}

function pathsOf({ files, args, report }: ToolUse): readonly string[] {
  if (files.length > 0) return files.map(({ path }) => path)
  const path = args.path ?? namedPathIn(report.text)
  return path === null ? [] : [path]
}

const searchedCharacters = 2_000
const pathLine = /^[ \t]{0,20}(?:file|path):[ \t]{0,20}(\S[^\r\n]{0,998})$/im
const pathField = /"(?:path|file|filePath|file_path|filename)"\s{0,9}:\s{0,9}"([^"\\]{1,1000})"/

function namedPathIn(text: string): string | null {
  const start = text.slice(0, searchedCharacters)
  const inField = /^\s{0,99}\{/.test(start) ? pathField.exec(start)?.[1] : null
  const named = (pathLine.exec(start)?.[1] ?? inField)?.trim() ?? ''
  if (named === '' || /\p{Cc}|^[a-z][a-z0-9+.-]{1,20}:\/\//iu.test(named)) return null
  return named.toWellFormed()
}

function fileFacts(paths: readonly string[]): readonly string[] {
  if (paths.length <= 1) return [`File: ${paths[0] ?? 'unknown'}`]
  return [`Files: ${paths.length}`, topFiles(paths)]
}

const maxTopFiles = 3

function topFiles(paths: readonly string[]): string {
  return `Top files: ${paths.slice(0, maxTopFiles).join(', ')}`
}

const unnamedCharacters = 20_000
const noCode = { exports: [], importCount: 0 } as const

/** Where the call does not name the file, its text alone shows whether it is code. */
function outlineFor(use: ToolUse, path: string | undefined, text: string) {
  const outline =
    use.args.path === null
      ? outlineOf(path ?? 'unnamed.ts', text.slice(0, unnamedCharacters))
      : use.outline
  return outline ?? noCode
}

function textFacts(
  paths: readonly string[],
  lines: number | null,
  { exports, importCount }: CodeOutline,
): readonly string[] {
  return [
    ...fileFacts(paths),
    ...(lines === null ? [] : [`Lines: ${lines}`]),
    ...(paths.length > 1 ? [] : [`Type: ${fileTypeOf(paths[0] ?? '')}`]),
    ...(exports.length === 0 ? [] : [`Exports: ${exports.join(', ')}`]),
    ...(importCount === 0 ? [] : [`Imports: ${importCount} modules`]),
  ]
}

const patchCharacters = 250_000

function changeOf({ args }: ToolUse): string | null {
  if (args.patch !== null) {
    const lines = args.patch.slice(0, patchCharacters).split('\n')
    const added = lines.filter((line) => line[0] === '+' && !line.startsWith('+++ ')).length
    const removed = lines.filter((line) => line[0] === '-' && !line.startsWith('--- ')).length
    return `+${added} -${removed} lines`
  }
  if (args.content === null) return null
  const removed = args.replaced === null ? '' : ` -${countLines(args.replaced)}`
  return `+${countLines(args.content)}${removed} lines`
}

const commandCharacters = 60

function shellFacts(use: ToolUse, errorLine: string | null): FamilyFacts {
  const { lines, outcome, args, report } = use
  const gist = readCommand(args.shell ?? args.program ?? '').gist
  const command = gist === '' ? (promptIn(report.text) ?? 'unknown') : gist
  const exitCode = outcome?.exitCode ?? 'unknown'
  const tests = outcome?.tests ?? null
  return {
    facts: [
      `Command: ${factValue(command, commandCharacters)}`,
      ...(exitCode === 'unknown' ? [] : [`Exit: ${exitCode}`]),
      ...(outcome === null ? [] : [`Output: ${lines} lines`]),
      ...(tests === null ? [] : [`Tests: ${tests.passed} passed, ${tests.failed} failed`]),
    ],
    metadata: { command, exitCode, outputLines: lines, hasError: errorLine !== null },
  }
}

function promptIn(text: string): string | null {
  const shown = /^\s{0,20}\$ (\S[^\n]{0,200})/.exec(text)?.[1]
  return shown === undefined ? null : shown.trim().toWellFormed()
}

const queryCharacters = 80

function searchFacts(use: ToolUse): FamilyFacts {
  const { args, hits, outcome, report } = use
  const pattern = factValue(
    args.query ?? use.subject ?? patternIn(report.text) ?? 'unknown',
    queryCharacters,
  )
  const { matches, files, paths } = hits ?? { matches: 0, files: 0, paths: [] }
  const matchCount = (matches === 0 ? arrayLengthIn(report.text) : null) ?? matches
  // Results in an unknown format are measured by their length.
  const isUncounted = matchCount === 0 && outcome?.status === 'success'
  const counted = isUncounted ? [outputFact(use)] : [`Matches: ${matchCount}`, `Files: ${files}`]
  return {
    facts: [
      `Pattern: "${pattern}"`,
      ...(hasFailed(use) ? [] : counted),
      ...(paths.length === 0 ? [] : [topFiles(paths)]),
    ],
    metadata: { pattern, matchCount, fileCount: files },
  }
}

function patternIn(text: string): string | null {
  const named =
    /\b(?:pattern|query|search(?:ed)? for|matches for)[: ]{1,3}["'`]([^"'`\n]{1,80})["'`]/i
  return named.exec(text.slice(0, 400))?.[1] ?? null
}

function listFacts(use: ToolUse): FamilyFacts {
  const path = use.subject ?? '.'
  const { text } = use.report
  const entries = hasFailed(use) ? 0 : (arrayLengthIn(text) ?? text.match(/\S[^\n]*/g)?.length ?? 0)
  return {
    facts: [`Path: ${path}`, ...(hasFailed(use) ? [] : [`Entries: ${entries}`])],
    metadata: { path, entries },
  }
}

// A shorter limit would cut URLs, and half a URL is useless.
const addressCharacters = 200

function webFacts(use: ToolUse): FamilyFacts {
  const { address } = use.args
  const target = factValue(address ?? use.subject ?? 'unknown', addressCharacters)
  const title = hasFailed(use) ? null : titleIn(use.report.text)
  return {
    facts: [
      address === null ? `Query: "${target}"` : `URL: ${target}`,
      ...(title === null ? [] : [`Title: ${title}`]),
      ...(hasFailed(use) ? [] : [outputFact(use)]),
    ],
    metadata: { [address === null ? 'query' : 'url']: target, outputLines: use.lines },
  }
}

function titleIn(text: string): string | null {
  const start = text.slice(0, 2_000)
  const title =
    /<title>\s{0,99}([^<\n]{1,200})/i.exec(start)?.[1] ??
    /^(?:# |Title: )(\S[^\n]{0,200})$/m.exec(start)?.[1]
  return title === undefined ? null : factValue(title, queryCharacters)
}

const firstErrorStatus = 400

function httpFacts(use: ToolUse): FamilyFacts {
  const { args, report } = use
  const method = /^[A-Za-z]{3,8}$/.exec(args.text('method') ?? '')?.[0].toUpperCase() ?? 'GET'
  const url = factValue(args.address ?? use.subject ?? 'unknown', addressCharacters)
  const code = statusIn(report.text)
  return {
    facts: [
      `Request: ${method} ${url}`,
      ...(code === null ? [] : [`Status: ${code}`]),
      ...(hasFailed(use) ? [] : [outputFact(use)]),
    ],
    metadata: { method, url, ...(code === null ? {} : { statusCode: code }) },
    ...(code !== null && code >= firstErrorStatus && { status: 'error' }),
  }
}

/** Reads only the start of a response; its body may mention any status. */
function statusIn(text: string): number | null {
  const status =
    /^\s{0,20}(?:HTTP\/\d(?:\.\d)? |(?:status(?: code)?|http status)[:= ]{1,3}|\{\s{0,20}"status(?:_?code)?"\s?:\s?)(\d{3})\b/i
  const code = status.exec(text.slice(0, 200))?.[1]
  return code === undefined ? null : Number(code)
}

function databaseFacts(use: ToolUse): FamilyFacts {
  const query = factValue(use.args.text('sql') ?? use.subject ?? 'unknown', queryCharacters)
  const rows = hasFailed(use) ? null : rowsIn(use.report.text)
  const resultFact = rows === null ? outputFact(use) : `Rows: ${rows}`
  return {
    facts: [`Query: ${query}`, ...(hasFailed(use) ? [] : [resultFact])],
    metadata: { query, ...(rows === null ? {} : { rows }) },
  }
}

function rowsIn(text: string): number | null {
  const counted =
    /\(?\b(\d{1,12}) rows?\b(?:\)| (?:affected|returned|selected|in set|changed|updated|inserted|deleted))|"(?:rowCount|row_count|changes|affectedRows)"\s?:\s?(\d{1,12})/i
  const found = counted.exec(text.slice(0, 400)) ?? counted.exec(text.slice(-400))
  const rows = found?.[1] ?? found?.[2]
  return rows === undefined ? arrayLengthIn(text) : Number(rows)
}

const aboutCharacters = 100

function agentFacts(use: ToolUse): FamilyFacts {
  const task = factValue(use.subject ?? 'unknown', aboutCharacters)
  return {
    facts: [`Task: ${task}`, ...resultFacts(use)],
    metadata: { task, outputLines: use.lines },
  }
}

function otherFacts(use: ToolUse): FamilyFacts {
  const subject = use.subject === null ? null : factValue(use.subject, aboutCharacters)
  return {
    facts: [...(subject === null ? [] : [`About: ${subject}`]), ...resultFacts(use)],
    metadata: { ...(subject === null ? {} : { subject }), outputLines: use.lines },
  }
}

function resultFacts(use: ToolUse): readonly string[] {
  const text = hasFailed(use) ? '' : use.report.text.trim()
  if (text === '') return []
  if (text.length <= aboutCharacters && !text.includes('\n')) return [`Result: ${text}`]
  const entries = arrayLengthIn(text)
  const names = literalsInOutput(outputEdges(text))
    .filter(({ text: name, kind }) => nameKinds.has(kind) && use.subject?.includes(name) !== true)
    .slice(0, maxNames)
    .map(({ text: name }) => name)
  return [
    ...(names.length === 0 ? [] : [`Names: ${names.join(', ')}`]),
    entries === null ? outputFact(use) : `Results: ${entries}`,
  ]
}

/** Kinds that users ask for again by name; symbols are mostly names of fields. */
const nameKinds: ReadonlySet<OutputLiteralKind> = new Set(['path', 'file', 'url', 'hash', 'id'])
const maxNames = 3

const jsonCharacters = 1_000_000

function arrayLengthIn(text: string): number | null {
  if (text.length > jsonCharacters || !/^\s*\[/.test(text)) return null
  const value = parsedJson(text)
  return Array.isArray(value) ? value.length : null
}

const longLineCharacters = 200

function outputFact({ lines, report }: ToolUse): string {
  const isOneLong = lines <= 1 && report.text.length > longLineCharacters
  return isOneLong ? `Output: ${report.text.length} characters` : `Output: ${lines} lines`
}
