/**
 * What a use of a tool tells of the text of files: lines as they stand in one, a text that
 * was put in the place of another, a file written from its first line to its last. From
 * calls that did not fail; what a tool shows in a way that we do not know tells nothing.
 */
import type { ToolCallPart, ToolResultPart } from '../domain/message.ts'
import { foundLinesIn } from './found-lines.ts'
import { patchHunksOf } from './patch-hunks.ts'
import { readCommand } from './shell-command.ts'
import { shownLinesIn } from './shown-lines.ts'
import { type Arguments, readArguments } from './tool-arguments.ts'
import { readReport } from './tool-report.ts'
import { outputText, readToolUse } from './tool-use.ts'

export type FileChange =
  | {
      readonly kind: 'shown'
      readonly path: string
      /** Counted from 1; null where nobody says. */
      readonly firstLine: number | null
      readonly lines: readonly string[]
    }
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
  const said = () => readReport(outputText(result.output)).text
  switch (family) {
    case 'read':
      return path === null ? [] : shown(path, said(), firstLineAsked(call.input))
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
      return found(said(), path)
    case 'shell':
      return printed(given.shell ?? '', said())
    case 'list':
    case 'web':
    case 'database':
    case 'http':
    case 'plan':
    case 'agent':
    case 'mcp':
    case 'unknown':
      return []
  }
}

function shown(path: string, text: string, firstLine: number | null): readonly FileChange[] {
  return shownLinesIn(text, firstLine).map((lines) => ({ kind: 'shown', path, ...lines }))
}

/** A file is read from its beginning unless the call says otherwise. */
function firstLineAsked(input: string): number | null {
  const told =
    /"(?:offset|start_line|startLine|start_line_one_indexed|line_start)"\s*:\s*"?(\d{1,7})\b/.exec(
      input,
    )
  if (told !== null) return Math.max(1, Number(told[1]))
  return /"(?:view_range|range|lines)"\s*:/.test(input) ? null : 1
}

function edited(path: string, input: string, given: Arguments): readonly FileChange[] {
  const several = given.has('edits') ? editsIn(input) : []
  return (several.length > 0 ? several : [given]).flatMap((edit): readonly FileChange[] => {
    const { content: after } = edit
    if (after === null) return []
    return edit.replaced === null
      ? [{ kind: 'shown', path, firstLine: null, lines: after.split('\n') }]
      : [{ kind: 'replaced', path, before: edit.replaced, after, everywhere: isForAll(input) }]
  })
}

const mostEdits = 200

function editsIn(input: string): readonly Arguments[] {
  try {
    const { edits } = JSON.parse(input) as { readonly edits: unknown }
    if (!Array.isArray(edits)) return []
    return edits.slice(0, mostEdits).map((edit) => readArguments(JSON.stringify(edit)))
  } catch {
    // It was cut off, or is the JSON of a JSON text: nothing to read.
    return []
  }
}

function isForAll(input: string): boolean {
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

function found(text: string, path: string | null): readonly FileChange[] {
  return foundLinesIn(text, path).map((lines) => ({ kind: 'shown', ...lines }))
}

/** Of a command, only what one program prints of one file can be told apart from the rest. */
function printed(command: string, text: string): readonly FileChange[] {
  const { reads, writes, deletes, isLooking, isSearch } = readCommand(command)
  const gone: readonly FileChange[] = deletes.map((path) => ({ kind: 'deleted', path }))
  if (!isLooking || writes.length > 0) return gone
  if (isSearch) return found(text, null)
  const [path] = reads
  if (
    path === undefined ||
    reads.length > 1 ||
    /[;\n]|&&|\|\||\bgrep\b|\bawk\b|\bwc\b/.test(lastOf(command))
  )
    return gone
  return shown(path, text, firstLinePrinted(command))
}

/** Behind what only leads to it: `cd somewhere && cat a.ts`. */
function lastOf(command: string): string {
  return command.trim().replace(/^cd [^;&|\n]{1,300}(?:&&|;)\s*/, '')
}

function firstLinePrinted(command: string): number | null {
  if (/\btail\b/.test(command)) return null
  const asked = /\bsed\b[^|;&\n]{0,40}?(\d{1,7})(?:,\d{1,7})?p/.exec(command)?.[1]
  return asked === undefined ? (/\bsed\b/.test(command) ? null : 1) : Number(asked)
}
