/** Extracts from a successful tool use which lines of files it showed, replaced or wrote. */

import { fieldsIn, parsedJson } from '../domain/json.ts'
import type { ToolCallPart, ToolResultPart } from '../domain/message.ts'
import { patchHunksOf } from './patched-files.ts'
import { readCommand } from './shell-command.ts'
import { type Arguments, readArguments } from './tool-arguments.ts'
import { readReport } from './tool-report.ts'
import { outputText, readToolUse } from './tool-use.ts'

export type FileChange =
  | ({ readonly kind: 'shown'; readonly path: string } & ShownLines)
  | {
      readonly kind: 'replaced'
      readonly path: string
      readonly before: string
      readonly after: string
      readonly everywhere: boolean
    }
  | { readonly kind: 'written'; readonly path: string; readonly text: string }
  | { readonly kind: 'deleted'; readonly path: string }

export function fileChangesOf(call: ToolCallPart, result: ToolResultPart): readonly FileChange[] {
  const { family, args, outcome, files } = readToolUse(call, result)
  if (outcome?.status === 'error') return []
  const { path } = args
  const output = () => readReport(outputText(result.output)).text
  switch (family) {
    case 'read':
      return path === null ? [] : shownChanges(path, output(), requestedFirstLine(call.input))
    case 'write':
      return path === null || args.content === null
        ? []
        : [{ kind: 'written', path, text: args.content }]
    case 'edit':
      return path === null ? [] : editChanges(path, call.input, args)
    case 'patch':
      return args.patch === null ? [] : patchChanges(args.patch)
    case 'delete':
      return files.map((file) => ({ kind: 'deleted', path: file.path }))
    case 'search':
      return foundLinesIn(output(), path)
    case 'shell':
      return shellChanges(args.shell ?? '', output())
    default:
      return []
  }
}

function shownChanges(path: string, text: string, firstLine: number | null): readonly FileChange[] {
  return shownLinesIn(text, firstLine).map((lines) => ({ kind: 'shown', path, ...lines }))
}

/** Tools read a file from its first line unless the call names another one. */
function requestedFirstLine(input: string): number | null {
  const named =
    /"(?:offset|start_line|startLine|start_line_one_indexed|line_start)"\s*:\s*"?(\d{1,7})\b/.exec(
      input,
    )
  if (named !== null) return Math.max(1, Number(named[1]))
  return /"(?:view_range|range|lines)"\s*:/.test(input) ? null : 1
}

function editChanges(path: string, input: string, args: Arguments): readonly FileChange[] {
  const edits = args.has('edits') ? editsIn(input) : []
  return (edits.length > 0 ? edits : [args]).flatMap((edit): readonly FileChange[] => {
    const { content: after } = edit
    if (after === null) return []
    return edit.replaced === null
      ? [{ kind: 'shown', path, firstLine: null, lines: after.split('\n') }]
      : [{ kind: 'replaced', path, before: edit.replaced, after, everywhere: replacesAll(input) }]
  })
}

const maxEdits = 200

function editsIn(input: string): readonly Arguments[] {
  const { edits } = fieldsIn(parsedJson(input))
  if (!Array.isArray(edits)) return []
  return edits.slice(0, maxEdits).map((edit) => readArguments(JSON.stringify(edit)))
}

function replacesAll(input: string): boolean {
  return /"(?:replace_?all|allow_multiple)"\s*:\s*true/i.test(input)
}

function patchChanges(patch: string): readonly FileChange[] {
  return patchHunksOf(patch).map(({ path, before, after, firstLine, isNew }) => {
    if (isNew) return { kind: 'written', path, text: after.join('\n') }
    const text = { before: before.join('\n'), after: after.join('\n') }
    return before.length === 0
      ? { kind: 'shown', path, firstLine, lines: after }
      : { kind: 'replaced', path, ...text, everywhere: false }
  })
}

/** Shell output is only usable when one program prints one file. */
function shellChanges(command: string, text: string): readonly FileChange[] {
  const { reads, writes, deletes, onlyShowsText, isSearch } = readCommand(command)
  const deleted: readonly FileChange[] = deletes.map((path) => ({ kind: 'deleted', path }))
  if (!onlyShowsText || writes.length > 0) return deleted
  if (isSearch) return foundLinesIn(text, null)
  const [path] = reads
  if (
    path === undefined ||
    reads.length > 1 ||
    /[;\n]|&&|\|\||\bgrep\b|\bawk\b|\bwc\b/.test(withoutLeadingCd(command))
  )
    return deleted
  return shownChanges(path, text, printedFirstLine(command))
}

/** `cd somewhere && cat a.ts` becomes `cat a.ts`. */
function withoutLeadingCd(command: string): string {
  return command.trim().replace(/^cd [^;&|\n]{1,300}(?:&&|;)\s*/, '')
}

function printedFirstLine(command: string): number | null {
  if (/\btail\b/.test(command)) return null
  if (!/\bsed\b/.test(command)) return 1
  const named = /\bsed\b[^|;&\n]{0,40}?(\d{1,7})(?:,\d{1,7})?p/.exec(command)?.[1]
  return named === undefined ? null : Number(named)
}

const outputCharacters = 200_000
const maxOutputLines = 2_000
/** `src/a.ts:12:`, and `src/a.ts-12-` for a line of context. */
const fileAndLine = /^((?:[A-Za-z]:)?[\p{L}\p{N}_@./\\~+-]{1,300}?)([:-])(\d{1,7})\2/u
/** A search in one file prints no file name. */
const lineOnly = /^(\d{1,7})[:-]/

function foundLinesIn(output: string, path: string | null): readonly FileChange[] {
  const runs: (Run & { readonly kind: 'shown'; readonly path: string })[] = []
  for (const line of output.slice(0, outputCharacters).split('\n', maxOutputLines)) {
    const head = line.slice(0, headCharacters)
    const inFile = fileAndLine.exec(head)
    const inSearchedFile = inFile === null && path !== null ? lineOnly.exec(head) : null
    const file = inFile?.[1] ?? path
    const start = inFile?.[0] ?? inSearchedFile?.[0]
    if (start === undefined || file === null) continue
    const firstLine = Number(inFile?.[3] ?? inSearchedFile?.[1])
    const rest = line.slice(start.length)
    const last = runs.at(-1)
    if (last?.path === file && follows(last, firstLine)) last.lines.push(rest)
    else runs.push({ kind: 'shown', path: file, firstLine, lines: [rest] })
  }
  return runs
}

function follows({ firstLine, lines }: Run, number: number): boolean {
  return number === firstLine + lines.length
}

const headCharacters = 320

interface ShownLines {
  /** Counted from 1; null where unknown. */
  readonly firstLine: number | null
  readonly lines: readonly string[]
}

const lineNumber = /^[ \t]{0,8}L?(\d{1,7})(?:→|\t|\| ?|: ?)/

/** The engine reads only this many lines of a text: a longer file is rarely source code. */
export const maxLines = 20_000

/** Runs of consecutive lines; a single run where the tool printed no line numbers. */
export function shownLinesIn(text: string, firstLine: number | null): readonly ShownLines[] {
  const lines = text.split('\n', maxLines)
  return runsOf(lines) ?? [{ firstLine, lines: lines.at(-1) === '' ? lines.slice(0, -1) : lines }]
}

interface Run {
  readonly firstLine: number
  readonly lines: string[]
}

/**
 * Strips line numbers (`  12→text`, `12<tab>text`, `00012| text`, `L12: text`) only where they are
 * consecutive, so that tables and numbered lists stay as they are. Null: the lines have no numbers.
 */
function runsOf(lines: readonly string[]): readonly ShownLines[] | null {
  const runs: Run[] = []
  let numberedCount = 0
  let followingCount = 0
  let emptyCount = 0
  for (const line of lines) {
    const hit = lineNumber.exec(line)
    if (hit === null) {
      if (line.trim() === '') emptyCount += 1
      continue
    }
    numberedCount += 1
    const number = Number(hit[1])
    const rest = line.slice(hit[0].length)
    const last = runs.at(-1)
    if (last !== undefined && follows(last, number)) {
      last.lines.push(rest)
      followingCount += 1
    } else runs.push({ firstLine: number, lines: [rest] })
  }
  const isNumbered =
    numberedCount > 0 && numberedCount + emptyCount >= lines.length * minNumberedShare
  const isConsecutive = followingCount >= (numberedCount - 1) * minFollowingShare
  return isNumbered && isConsecutive ? runs : null
}

// Clients add a few lines around a page of a file, which weigh more on a short page.
const minNumberedShare = 0.6
const minFollowingShare = 0.8
