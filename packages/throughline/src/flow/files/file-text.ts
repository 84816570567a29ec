/**
 * Collects the newest known text of files from tool calls and results, with edits applied. At the
 * size limit, the least recently used file is dropped.
 */
import type { Seq } from '../../domain/ids.ts'
import type { Message, ToolCallPart, ToolResultPart } from '../../domain/message.ts'
import { type FileChange, fileChangesOf, maxLines } from '../../extract/file-changes.ts'
import { getOrMake } from '../text/bounded-cache.ts'

export interface FileText {
  readonly path: string
  /** In line order; pieces with unknown line numbers come last. */
  readonly pieces: readonly TextPiece[]
  readonly lastSeq: Seq
  readonly changedSeq: Seq | null
}

export function fileTextsOf(
  messages: Iterable<Pick<Message, 'seq' | 'parts'>>,
  charactersMost: number = maxCharacters,
): readonly FileText[] {
  const most = Math.min(charactersMost, maxCharacters)
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
        // Read lines are in the result message, changes in the call message.
        const at = change.kind === 'shown' ? seq : known.seq
        const path = knownPath(change.path, files)
        const before = files.get(path) ?? null
        const after = applyChange(before, { ...change, path }, at)
        files.delete(path)
        if (after !== null) files.set(path, after)
        held += charactersOf(after) - charactersOf(before)
      }
      for (const [path, file] of files) {
        if (held <= most && files.size <= maxFiles) break
        files.delete(path)
        held -= charactersOf(file)
      }
    }
  return [...files.values()]
}

// Consecutive compactions read the same results.
const known = new WeakMap<
  ToolResultPart,
  { readonly call: ToolCallPart; readonly changes: readonly FileChange[] }
>()

function knownChanges(call: ToolCallPart, result: ToolResultPart): readonly FileChange[] {
  const find = () => ({ call, changes: fileChangesOf(call, result) })
  return getOrMake(known, result, find, (found) => found.call === call).changes
}

const maxCharacters = 300_000
// Each change visits all file names, and all pieces of its file.
const maxFiles = 400
const maxPieces = 200

function charactersOf(file: FileText | null): number {
  return file?.pieces.reduce((sum, { characters }) => sum + characters, 0) ?? 0
}

/** The known path of the same file, which may be absolute or relative. */
function knownPath(path: string, files: ReadonlyMap<string, FileText>): string {
  if (files.has(path)) return path
  const plain = path.replace(/^\.\//, '')
  for (const known of files.keys())
    if (known.endsWith(`/${plain}`) || path.endsWith(`/${known}`)) return known
  return plain
}

function applyChange(before: FileText | null, change: FileChange, seq: Seq): FileText | null {
  const known = before?.pieces ?? []
  const fileWith = (pieces: readonly TextPiece[], changedSeq: Seq | null): FileText => {
    return { path: change.path, pieces: pieces.slice(-maxPieces), lastSeq: seq, changedSeq }
  }
  switch (change.kind) {
    case 'deleted':
      return null
    case 'shown': {
      const pieces = insertLines(known, change, { seq, isChange: false })
      return fileWith(pieces, before?.changedSeq ?? null)
    }
    case 'replaced':
      return fileWith(replaceText(known, change, seq), seq)
    case 'written': {
      const lines = change.text.split('\n', maxLines)
      return fileWith(insertLines([], { firstLine: 1, lines }, { seq, isChange: true }), seq)
    }
  }
}

/** A line of a file, with the message that showed or changed it. */
export interface TextLine {
  readonly text: string
  readonly seq: Seq
  readonly isChange: boolean
}

export interface TextPiece {
  /** Counted from 1; null if unknown. */
  readonly firstLine: number | null
  readonly lines: readonly TextLine[]
  readonly characters: number
}

type Shown = Pick<Extract<FileChange, { readonly kind: 'shown' }>, 'firstLine' | 'lines'>
type Replaced = Extract<FileChange, { readonly kind: 'replaced' }>

// Longer lines are data that is never edited by hand.
const lineCharacters = 2_000
const pieceCharacters = 100_000

function insertLines(
  pieces: readonly TextPiece[],
  { firstLine, lines: texts }: Shown,
  origin: Pick<TextLine, 'seq' | 'isChange'>,
): readonly TextPiece[] {
  if (texts.some((text) => text.length > lineCharacters)) return pieces
  const lines = texts.map((text) => ({ text, ...origin }))
  const piece = pieceOf(firstLine, lines)
  if (lines.length === 0 || piece.characters > pieceCharacters) return pieces
  const text = pieceText(piece)
  if (firstLine === null) {
    const known = pieces.find((each) => pieceText(each).includes(text))
    return known === undefined ? [...pieces, piece] : pieces
  }
  const numbered = pieces.flatMap((each) =>
    each.firstLine === null
      ? []
      : [
          ...linesWithin(each, 0, firstLine),
          ...linesWithin(each, firstLine + lines.length, Infinity),
        ],
  )
  const loose = pieces.filter((each) => each.firstLine === null && !text.includes(pieceText(each)))
  return [...joinPieces([...numbered, piece]), ...loose]
}

/** If the old text is unknown, the new text becomes a separate piece. */
function replaceText(
  pieces: readonly TextPiece[],
  replaced: Replaced,
  seq: Seq,
): readonly TextPiece[] {
  const at = pieces.findIndex((piece) => pieceText(piece).includes(replaced.before))
  const piece = pieces[at]
  if (piece === undefined) {
    const lines = replaced.after.split('\n', maxLines)
    return insertLines(pieces, { firstLine: null, lines }, { seq, isChange: true })
  }
  const changed = pieceOf(piece.firstLine, replacedLines(piece, replaced, seq))
  if (changed.characters > pieceCharacters) return pieces.toSpliced(at, 1)
  const moved = changed.lines.length - piece.lines.length
  const first = piece.firstLine
  return pieces.map((each) => {
    if (each === piece) return changed
    const { firstLine } = each
    const isBelow = first !== null && firstLine !== null && firstLine > first
    return isBelow ? { ...each, firstLine: firstLine + moved } : each
  })
}

function replacedLines(
  piece: TextPiece,
  { before, after, everywhere }: Replaced,
  seq: Seq,
): readonly TextLine[] {
  const text = pieceText(piece)
  const lines: TextLine[] = []
  let from = 0
  let line = 0
  let at = text.indexOf(before)
  while (at !== -1) {
    const start = at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1
    const above = lineBreaks(text, from, start)
    const end = at + before.length
    const lineEnd = text.indexOf('\n', end)
    const rest = text.slice(end, lineEnd === -1 ? text.length : lineEnd)
    const now = `${text.slice(start, at)}${after}${rest}`
    for (const each of piece.lines.slice(line, line + above)) lines.push(each)
    for (const each of now.split('\n', maxLines)) lines.push({ text: each, seq, isChange: true })
    line += above + lineBreaks(text, start, end) + 1
    from = lineEnd === -1 ? text.length : lineEnd + 1
    // Replaces only once per line; more is rare, and the next read of the file corrects it.
    at = everywhere && lineEnd !== -1 && before !== '' ? text.indexOf(before, from) : -1
  }
  return [...lines, ...piece.lines.slice(line)]
}

function lineBreaks(text: string, from: number, to: number): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1))
    count += 1
  return count
}

function joinPieces(pieces: readonly TextPiece[]): readonly TextPiece[] {
  const sorted = pieces.toSorted((left, right) => (left.firstLine ?? 0) - (right.firstLine ?? 0))
  const all: TextPiece[] = []
  for (const piece of sorted) {
    const last = all.at(-1)
    const isNext =
      last !== undefined && (last.firstLine ?? 0) + last.lines.length === piece.firstLine
    if (isNext && last.characters + piece.characters <= pieceCharacters)
      all[all.length - 1] = pieceOf(last.firstLine, [...last.lines, ...piece.lines])
    else all.push(piece)
  }
  return all
}

function linesWithin(piece: TextPiece, from: number, to: number): readonly TextPiece[] {
  const first = piece.firstLine ?? 0
  const lines = piece.lines.slice(Math.max(0, from - first), Math.max(0, to - first))
  return lines.length === 0 ? [] : [pieceOf(Math.max(first, from), lines)]
}

function pieceOf(firstLine: number | null, lines: readonly TextLine[]): TextPiece {
  const characters = lines.reduce((sum, { text }) => sum + text.length + 1, 0)
  return { firstLine, lines, characters }
}

function pieceText({ lines }: TextPiece): string {
  return lines.map(({ text }) => text).join('\n')
}
