/**
 * The newest known text of files, as pieces: what tools have shown of them, with what was
 * edited since put in its place. A fold over messages; what it holds is bounded, and the
 * file that was used longest ago is forgotten first.
 */
import type { Seq } from '../../domain/ids.ts'
import type { Message, ToolCallPart, ToolResultPart } from '../../domain/message.ts'
import { type FileChange, fileChangesOf, mostLines } from '../../extract/file-changes.ts'
import { insertLines, replaceText, type TextPiece } from './text-pieces.ts'

export interface FileText {
  readonly path: string
  /** In the order of their lines; those whose place nobody knows come last. */
  readonly pieces: readonly TextPiece[]
  /** Where it was used last, and changed last. */
  readonly lastSeq: Seq
  readonly changedSeq: Seq | null
}

export function fileTextsOf(
  messages: Iterable<Pick<Message, 'seq' | 'parts'>>,
  charactersMost: number = heldCharacters,
): readonly FileText[] {
  const most = Math.min(charactersMost, heldCharacters)
  const files = new Map<string, FileText>()
  const calls = new Map<string, { readonly call: ToolCallPart; readonly seq: Seq }>()
  let held = 0
  for (const { seq, parts } of messages)
    for (const part of parts) {
      if (part.type === 'tool-call') calls.set(part.callId, { call: part, seq })
      if (part.type !== 'tool-result') continue
      const known = calls.get(part.callId)
      calls.delete(part.callId)
      if (known === undefined) continue
      for (const change of knownChanges(known.call, part)) {
        // What was shown stands in the result, what was changed in the call.
        const at = change.kind === 'shown' ? seq : known.seq
        const path = knownPath(change.path, files)
        const before = files.get(path) ?? null
        const after = applied(before, { ...change, path }, at)
        files.delete(path)
        if (after !== null) files.set(path, after)
        held += charactersOf(after) - charactersOf(before)
      }
      for (const [path, file] of files) {
        if (held <= most && files.size <= mostFiles) break
        files.delete(path)
        held -= charactersOf(file)
      }
    }
  return [...files.values()]
}

// A compaction reads the results again that the one before has read.
const changesOf = new WeakMap<ToolResultPart, Changes>()

interface Changes {
  readonly call: ToolCallPart
  readonly changes: readonly FileChange[]
}

function knownChanges(call: ToolCallPart, result: ToolResultPart): readonly FileChange[] {
  const known = changesOf.get(result)
  if (known?.call === call) return known.changes
  const changes = fileChangesOf(call, result)
  changesOf.set(result, { call, changes })
  return changes
}

const heldCharacters = 300_000
// Each change looks at all names, and at all pieces of its file.
const mostFiles = 400
const mostPieces = 200

function charactersOf(file: FileText | null): number {
  return file?.pieces.reduce((sum, { characters }) => sum + characters, 0) ?? 0
}

/** A file may be named from the root and from the folder that work goes on in. */
function knownPath(path: string, files: ReadonlyMap<string, FileText>): string {
  if (files.has(path)) return path
  const plain = path.replace(/^\.\//, '')
  for (const known of files.keys())
    if (known.endsWith(`/${plain}`) || path.endsWith(`/${known}`)) return known
  return plain
}

function applied(before: FileText | null, change: FileChange, seq: Seq): FileText | null {
  if (change.kind === 'deleted') return null
  const { path } = change
  const isChange = change.kind !== 'shown'
  const changedSeq = isChange ? seq : (before?.changedSeq ?? null)
  const pieces = piecesAfter(before?.pieces ?? [], change, seq)
  return { path, pieces: pieces.slice(-mostPieces), lastSeq: seq, changedSeq }
}

function piecesAfter(
  pieces: readonly TextPiece[],
  change: Exclude<FileChange, { readonly kind: 'deleted' }>,
  seq: Seq,
): readonly TextPiece[] {
  switch (change.kind) {
    case 'shown':
      return insertLines(pieces, {
        firstLine: change.firstLine,
        lines: change.lines,
        seq,
        isChange: false,
      })
    case 'replaced':
      return replaceText(pieces, { ...change, seq })
    case 'written':
      return insertLines([], {
        firstLine: 1,
        lines: change.text.split('\n', mostLines),
        seq,
        isChange: true,
      })
  }
}
