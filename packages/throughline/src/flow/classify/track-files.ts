/**
 * Tracks the files that a conversation read or changed. Only a successful tool result counts as an
 * access, and a changed file stays marked as changed.
 */
import type { Seq } from '../../domain/ids.ts'
import { parsedJson } from '../../domain/json.ts'
import type { FileAccess, FileOperation, FileReference } from '../../domain/ledger.ts'
import {
  type Message,
  type ToolCallPart,
  type ToolOutput,
  type ToolResultPart,
  textsOfOutput,
} from '../../domain/message.ts'
import { deriveTurns } from '../../domain/turn.ts'
import { countLines } from '../../extract/tool-use.ts'
import { getOrMake } from '../text/bounded-cache.ts'
import { operations, operationWords, pathFields } from './tool-words-data.ts'

export interface TrackedFiles {
  /** By path. */
  readonly files: ReadonlyMap<string, FileReference>
  /** By the positions of calls and of their results. */
  readonly accesses: ReadonlyMap<Seq, readonly FileAccess[]>
}

type TrackedMessage = Pick<Message, 'seq' | 'role' | 'parts' | 'createdAt'>

/** The messages must be consecutive. */
export function trackFiles(
  messages: readonly TrackedMessage[],
  ages: readonly MessageAge[] = agesOf(messages),
): TrackedFiles {
  const files = new Map<string, FileReference>()
  const accesses = new Map<Seq, FileAccess[]>()
  const calls = new Map<string, { readonly part: ToolCallPart; readonly seq: Seq }>()
  const addAccess = (seq: Seq, access: FileAccess) =>
    getOrMake(accesses, seq, (): FileAccess[] => []).push(access)
  for (const [at, message] of messages.entries())
    for (const part of message.parts) {
      // Some providers reuse ids in every turn: a result belongs to the newest call with its id.
      if (part.type === 'tool-call') calls.set(part.callId, { part, seq: message.seq })
      if (part.type !== 'tool-result') continue
      const call = calls.get(part.callId) ?? null
      const access = accessOf(part, call?.part ?? null, message.seq, ages[at]?.step ?? 0)
      if (access === null) continue
      files.set(access.path, referenceOf(access, files.get(access.path) ?? null, part, message))
      addAccess(message.seq, access)
      if (call !== null && call.seq !== message.seq) addAccess(call.seq, access)
    }
  return { files, accesses }
}

function accessOf(
  result: ToolResultPart,
  call: ToolCallPart | null,
  seq: Seq,
  step: number,
): FileAccess | null {
  if (result.isError) return null
  const operation = operationOf(call?.name ?? result.name ?? '', call?.input ?? null)
  if (operation === null) return null
  const pathInCall = call && validPath(stringField(call.input, pathFields))
  const path = pathInCall ?? pathInResult(result.output)
  return path === null ? null : { path, operation, callId: result.callId, seq, step }
}

function referenceOf(
  { path, operation, seq, step }: FileAccess,
  before: FileReference | null,
  result: ToolResultPart,
  message: TrackedMessage,
): FileReference {
  const isChange = operation !== 'read'
  // Only the result of a read contains the file; a write returns a confirmation.
  const text = operation === 'read' ? shownText(result.output) : null
  return {
    path,
    operation,
    lastSeq: seq,
    lastStep: step,
    lastTime: message.createdAt,
    modified: isChange || (before?.modified ?? false),
    modifiedSeq: isChange ? seq : (before?.modifiedSeq ?? null),
    lineCount: text === null ? (before?.lineCount ?? null) : lineCount(text),
    preview: text?.slice(0, previewCharacters).toWellFormed() ?? before?.preview ?? null,
  }
}

/** The number of lines; null for a text that is too long to count. */
export function lineCount(text: string): number | null {
  return text.length > maxCountedCharacters ? null : countLines(text)
}

// Above this, an exact line count is not worth the time.
const maxCountedCharacters = 1_000_000
const previewCharacters = 200

function shownText(output: ToolOutput): string | null {
  if (output.kind === 'text') return output.text
  if (output.kind === 'json') return null
  const texts = output.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return texts.length === 0 ? null : texts.join('\n')
}

/** Whether a file was changed in these messages. See `modifiedFiles`. */
export function wasModified({ files }: TrackedFiles, path: string): boolean {
  return files.get(path)?.modified ?? false
}

/**
 * The files that were changed, newest first.
 *
 * @example
 * const tracked = trackFiles(inputs)
 * for (const { path, lastStep } of modifiedFiles(tracked)) console.log(path, lastStep)
 * const [newest] = recentFiles(tracked)
 * console.log(wasModified(tracked, 'src/a.ts'), isStale(tracked, 'src/a.ts', { step: 40, stepsMax: 10 }))
 */
export function modifiedFiles(tracked: TrackedFiles): readonly FileReference[] {
  return recentFiles(tracked).filter(({ modified }) => modified)
}

/** All files that were read or changed, newest first. See `modifiedFiles`. */
export function recentFiles({ files }: TrackedFiles): readonly FileReference[] {
  return [...files.values()].sort((left, right) => right.lastSeq - left.lastSeq)
}

/**
 * Whether a file was last used more than `stepsMax` steps ago; true for an unknown file. See
 * `modifiedFiles`.
 */
export function isStale(
  { files }: TrackedFiles,
  path: string,
  at: { readonly step: number; readonly stepsMax: number },
): boolean {
  const file = files.get(path)
  return file === undefined || at.step - file.lastStep > at.stepsMax
}

/** Guesses what a tool does with a file. Null if nothing. */
export function operationOf(name: string, input: string | null): FileOperation | null {
  // A tool for several operations names it in the argument `command`; a longer `command` is one of a shell.
  const command = input === null ? null : stringField(input, ['command'])
  const isName = command !== null && /^[a-z_]{1,20}$/i.test(command)
  return (isName ? operationIn(command) : null) ?? operationIn(name)
}

function operationIn(name: string): FileOperation | null {
  const words = name
    .slice(0, maxNameCharacters)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    // `readfile` and `inserttext` name their operation too.
    .map((word) => word.replace(/(?<=.)(?:file|text)$/, ''))
  const isNamed = (operation: FileOperation) =>
    operationWords[operation].some((word) => words.includes(word))
  return operations.find(isNamed) ?? null
}

const maxNameCharacters = 200

function pathInResult(output: ToolOutput): string | null {
  const [text = ''] = textsOfOutput(output)
  const start = text.slice(0, maxSearchedCharacters)
  const path = /^(?:file|path):[ \t]*(.+?)[ \t]*$/im.exec(start)?.[1] ?? null
  return validPath(path) ?? (/^\s*\{/.test(start) ? validPath(stringField(text, pathFields)) : null)
}

const maxSearchedCharacters = 2_000
// A call may write megabytes into a file; the path nearly always comes before the text.
const maxParsedCharacters = 65_536

function stringField(json: string, names: readonly string[]): string | null {
  if (json.length > maxParsedCharacters)
    return fieldInText(json.slice(0, maxSearchedCharacters), names)
  const value = parsedJson(json)
  if (typeof value !== 'object' || value === null) return null
  const fields = value as Readonly<Record<string, unknown>>
  return names.map((name) => fields[name]).find((field) => typeof field === 'string') ?? null
}

/** Quotes inside a JSON string are escaped, so the pattern cannot match inside a text. */
function fieldInText(text: string, names: readonly string[]): string | null {
  for (const name of names) {
    const value = new RegExp(`"${name}"\\s*:\\s*"([^"\\\\]+)"`).exec(text)?.[1]
    if (value !== undefined) return value
  }
  return null
}

const maxPathCharacters = 1_000

/** Null for URLs except `file:`, for names with control characters and for very long names. */
function validPath(path: string | null): string | null {
  if (path === null || path === '' || path.length > maxPathCharacters) return null
  return /\p{Cc}|^(?!file:)[a-z][a-z0-9+.-]+:\/\//iu.test(path) ? null : path.toWellFormed()
}

/** The age of a message. Only steps with tool calls count: mere talk makes no result stale. */
export interface MessageAge {
  /** The step that the message belongs to or follows; 0 before the first step. */
  readonly step: number
  readonly stepsAgo: number
  readonly turnsAgo: number
}

export function agesOf(
  messages: readonly Pick<Message, 'seq' | 'role' | 'parts'>[],
): readonly MessageAge[] {
  const turns = deriveTurns(messages)
  const stepsWithCalls = turns.flatMap(({ steps }) => steps.filter(({ calls }) => calls.length > 0))
  const stepStarts = new Set(stepsWithCalls.map(({ span }) => span.from))
  let step = 0
  return turns.flatMap(({ span }, turn) =>
    Array.from({ length: span.to - span.from }, (_, index) => {
      if (stepStarts.has(span.from + index)) step += 1
      return { step, stepsAgo: stepStarts.size - step, turnsAgo: turns.length - 1 - turn }
    }),
  )
}
