/**
 * The files of a conversation: one fold over its messages, oldest first. Pure.
 *
 * A file is known from the result of a call, because what failed, or has not happened
 * yet, has changed nothing. A change is never forgotten.
 */
import type { FileAccess, FileReference } from '../../domain/file-reference.ts'
import type { Seq } from '../../domain/ids.ts'
import type { Message, ToolCallPart, ToolOutput, ToolResultPart } from '../../domain/message.ts'
import { lineCount } from '../text/line-count.ts'
import { operationOf, pathInCall, pathInResult } from './file-operation.ts'
import { agesOf } from './message-ages.ts'

export interface TrackedFiles {
  /** By path. */
  readonly files: ReadonlyMap<string, FileReference>
  /** By the places of the calls, and of their results. */
  readonly accesses: ReadonlyMap<Seq, readonly FileAccess[]>
}

type Tracked = Pick<Message, 'seq' | 'role' | 'parts' | 'createdAt'>

/** The messages follow one another without a gap. */
export function trackFiles(messages: readonly Tracked[]): TrackedFiles {
  const files = new Map<string, FileReference>()
  const accesses = new Map<Seq, FileAccess[]>()
  const calls = new Map<string, { readonly part: ToolCallPart; readonly seq: Seq }>()
  const ages = agesOf(messages)
  const note = (seq: Seq, access: FileAccess) => {
    const others = accesses.get(seq)
    if (others === undefined) accesses.set(seq, [access])
    else others.push(access)
  }
  for (const [at, message] of messages.entries())
    for (const part of message.parts) {
      // Some providers use the same ids in every turn: the nearest call is meant.
      if (part.type === 'tool-call') calls.set(part.callId, { part, seq: message.seq })
      if (part.type !== 'tool-result') continue
      const call = calls.get(part.callId) ?? null
      const access = accessOf(part, call?.part ?? null, message.seq, ages[at]?.step ?? 0)
      if (access === null) continue
      files.set(access.path, referenceOf(access, files.get(access.path) ?? null, part, message))
      note(message.seq, access)
      if (call !== null && call.seq !== message.seq) note(call.seq, access)
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
  const path = (call === null ? null : pathInCall(call)) ?? pathInResult(result.output)
  return path === null ? null : { path, operation, callId: result.callId, seq, step }
}

function referenceOf(
  { path, operation, seq, step }: FileAccess,
  before: FileReference | null,
  result: ToolResultPart,
  message: Tracked,
): FileReference {
  const changes = operation !== 'read'
  // Only what was read is the file itself; a tool that writes says that it has written.
  const text = operation === 'read' ? textOf(result.output) : null
  return {
    path,
    operation,
    lastSeq: seq,
    lastStep: step,
    lastTime: message.createdAt,
    modified: changes || (before?.modified ?? false),
    modifiedSeq: changes ? seq : (before?.modifiedSeq ?? null),
    lineCount: text === null ? (before?.lineCount ?? null) : lineCount(text),
    preview: text?.slice(0, previewCharacters).toWellFormed() ?? before?.preview ?? null,
  }
}

const previewCharacters = 200

function textOf(output: ToolOutput): string | null {
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
 * Whether a file was not used for more than so many steps; nor is one fresh that nobody has used. See
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
