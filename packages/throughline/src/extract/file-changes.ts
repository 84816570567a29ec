/** Extracts from a successful tool use which lines of files it showed, replaced or wrote. */
import type { ToolCallPart, ToolResultPart } from '../domain/message.ts'
import { parsedJson } from './json-text.ts'
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
  const { family, arguments: given, outcome, files } = readToolUse(call, result)
  if (outcome?.status === 'error') return []
  const { path } = given
  const output = () => readReport(outputText(result.output)).text
  switch (family) {
    case 'read':
      return path === null ? [] : shown(path, output(), firstLineAsked(call.input))
    case 'write':
      return path === null || given.content === null
        ? []
        : [{ kind: 'written', path, text: given.content }]
    case 'edit':
      return path === null ? [] : edited(path, call.input, given)
    case 'patch':
      return given.patch === null ? [] : patched(given.patch)
    case 'delete':
      return files.map((file) => ({ kind: 'deleted', path: file.path }))
    case 'search':
      return foundLinesIn(output(), path)
    case 'shell':
      return printed(given.shell ?? '', output())
    default:
      return []
  }
}

function shown(path: string, text: string, firstLine: number | null): readonly FileChange[] {
  return shownLinesIn(text, firstLine).map((lines) => ({ kind: 'shown', path, ...lines }))
}

/** Tools read a file from its first line unless the call names another one. */
function firstLineAsked(input: string): number | null {
  const asked =
    /"(?:offset|start_line|startLine|start_line_one_indexed|line_start)"\s*:\s*"?(\d{1,7})\b/.exec(
      input,
    )
  if (asked !== null) return Math.max(1, Number(asked[1]))
  return /"(?:view_range|range|lines)"\s*:/.test(input) ? null : 1
}

function edited(path: string, input: string, given: Arguments): readonly FileChange[] {
  const several = given.has('edits') ? editsIn(input) : []
  return (several.length > 0 ? several : [given]).flatMap((edit): readonly FileChange[] => {
    const { content: after } = edit
    if (after === null) return []
    return edit.replaced === null
      ? [{ kind: 'shown', path, firstLine: null, lines: after.split('\n') }]
      : [{ kind: 'replaced', path, before: edit.replaced, after, everywhere: replacesAll(input) }]
  })
}

const maxEdits = 200

function editsIn(input: string): readonly Arguments[] {
  const { edits } = (parsedJson(input) ?? {}) as { readonly edits?: unknown }
  if (!Array.isArray(edits)) return []
  return edits.slice(0, maxEdits).map((edit) => readArguments(JSON.stringify(edit)))
}

function replacesAll(input: string): boolean {
  return /"(?:replace_?all|allow_multiple)"\s*:\s*true/i.test(input)
}

function patched(patch: string): readonly FileChange[] {
  return patchHunksOf(patch).map(({ path, before, after, firstLine, isNew }) => {
    if (isNew) return { kind: 'written', path, text: after.join('\n') }
    const text = { before: before.join('\n'), after: after.join('\n') }
    return before.length === 0
      ? { kind: 'shown', path, firstLine, lines: after }
      : { kind: 'replaced', path, ...text, everywhere: false }
  })
}

/** Shell output is only usable when one program prints one file. */
function printed(command: string, text: string): readonly FileChange[] {
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
  return shown(path, text, firstLinePrinted(command))
}

/** `cd somewhere && cat a.ts` becomes `cat a.ts`. */
function withoutLeadingCd(command: string): string {
  return command.trim().replace(/^cd [^;&|\n]{1,300}(?:&&|;)\s*/, '')
}

function firstLinePrinted(command: string): number | null {
  if (/\btail\b/.test(command)) return null
  const asked = /\bsed\b[^|;&\n]{0,40}?(\d{1,7})(?:,\d{1,7})?p/.exec(command)?.[1]
  return asked === undefined ? (/\bsed\b/.test(command) ? null : 1) : Number(asked)
}

const outputCharacters = 200_000
const maxFound = 2_000
const located = /^((?:[A-Za-z]:)?[\p{L}\p{N}_@./\\~+-]{1,300}?)([:-])(\d{1,7})\2/u
/** A search in one file prints no file name. */
const alone = /^(\d{1,7})[:-]/

function foundLinesIn(output: string, path: string | null): readonly FileChange[] {
  const runs: (Run & { readonly kind: 'shown'; readonly path: string })[] = []
  for (const line of output.slice(0, outputCharacters).split('\n', maxFound)) {
    const head = line.slice(0, headCharacters)
    const inFile = located.exec(head)
    const inOne = inFile === null && path !== null ? alone.exec(head) : null
    const name = inFile?.[1] ?? path
    const start = inFile?.[0] ?? inOne?.[0]
    if (start === undefined || name === null) continue
    const firstLine = Number(inFile?.[3] ?? inOne?.[1])
    const rest = line.slice(start.length)
    const last = runs.at(-1)
    if (last?.path === name && follows(last, firstLine)) last.lines.push(rest)
    else runs.push({ kind: 'shown', path: name, firstLine, lines: [rest] })
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

const numbered = /^[ \t]{0,8}L?(\d{1,7})(?:→|\t|\| ?|: ?)/

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
  let found = 0
  let follow = 0
  let empty = 0
  for (const line of lines) {
    const hit = numbered.exec(line)
    if (hit === null) {
      if (line.trim() === '') empty += 1
      continue
    }
    found += 1
    const number = Number(hit[1])
    const rest = line.slice(hit[0].length)
    const last = runs.at(-1)
    if (last !== undefined && follows(last, number)) {
      last.lines.push(rest)
      follow += 1
    } else runs.push({ firstLine: number, lines: [rest] })
  }
  const isNumbered = found > 0 && found + empty >= lines.length * numberedShare
  const isConsecutive = follow >= (found - 1) * followingShare
  return isNumbered && isConsecutive ? runs : null
}

// Clients add a few lines around a page of a file, which weigh more on a short page.
const numberedShare = 0.6
const followingShare = 0.8
