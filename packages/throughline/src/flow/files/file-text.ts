/** The newest known text of files, with edits applied. At the limit, the least recently used is dropped. */
import type { Seq } from '../../domain/ids.ts'
import type { Message, ToolCallPart, ToolResultPart } from '../../domain/message.ts'
import { type FileChange, fileChangesOf, maxLines } from '../../extract/file-changes.ts'
import { getOrMake } from '../text/bounded-cache.ts'
import { analysisOf, TextLine } from './text-line.ts'

export interface FileText {
  readonly path: string
  /** In line order; pieces with unknown line numbers come last. */
  readonly pieces: readonly TextPiece[]
  readonly lastSeq: Seq
  readonly changedSeq: Seq | null
}

export function fileTextsOf(
  messages: Iterable<Pick<Message, 'seq' | 'parts'>>,
  characterLimit: number = maxCharacters,
): readonly FileText[] {
  const limit = Math.min(characterLimit, maxCharacters)
  // In the order of their last use, and so are the paths with one base name.
  const files = new Map<string, FileText>()
  const pathsByName = new Map<string, Set<string>>()
  const sameName = (path: string) => getOrMake(pathsByName, baseName(path), () => new Set<string>())
  const remove = (path: string) => {
    files.delete(path)
    sameName(path).delete(path)
  }
  const calls = new Map<string, { readonly call: ToolCallPart; readonly seq: Seq }>()
  let characters = 0
  for (const { seq, parts } of messages)
    for (const part of parts) {
      if (part.type === 'tool-call') calls.set(part.callId, { call: part, seq })
      if (part.type !== 'tool-result') continue
      const answered = calls.get(part.callId)
      calls.delete(part.callId)
      if (answered === undefined) continue
      for (const change of cachedChanges(answered.call, part)) {
        // Read lines are in the result message, changes in the call message.
        const changeSeq = change.kind === 'shown' ? seq : answered.seq
        const path = knownPath(change.path, sameName(change.path))
        const before = files.get(path) ?? null
        const after = applyChange(before, { ...change, path }, changeSeq)
        remove(path)
        if (after !== null) {
          files.set(path, after)
          sameName(path).add(path)
        }
        characters += charactersOf(after) - charactersOf(before)
      }
      for (const [path, file] of files) {
        if (characters <= limit && files.size <= maxFiles) break
        remove(path)
        characters -= charactersOf(file)
      }
    }
  return [...files.values()]
}

// Consecutive compactions read the same results.
const changesByResult = new WeakMap<
  ToolResultPart,
  { readonly call: ToolCallPart; readonly changes: readonly FileChange[] }
>()

function cachedChanges(call: ToolCallPart, result: ToolResultPart): readonly FileChange[] {
  const extract = () => ({ call, changes: fileChangesOf(call, result) })
  return getOrMake(changesByResult, result, extract, (cached) => cached.call === call).changes
}

const maxCharacters = 300_000
// Each change visits all pieces of its file.
const maxFiles = 400
const maxPieces = 200

function charactersOf(file: FileText | null): number {
  return file?.pieces.reduce((sum, { characters }) => sum + characters, 0) ?? 0
}

/** The known path of the same file, which may be absolute or relative. */
function knownPath(path: string, sameName: ReadonlySet<string>): string {
  if (sameName.has(path)) return path
  const plain = path.replace(/^\.\//, '')
  for (const known of sameName)
    if (known.endsWith(`/${plain}`) || path.endsWith(`/${known}`)) return known
  return plain
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function applyChange(before: FileText | null, change: FileChange, seq: Seq): FileText | null {
  const piecesBefore = before?.pieces ?? []
  const fileWith = (pieces: readonly TextPiece[], changedSeq: Seq | null): FileText => {
    return { path: change.path, pieces: pieces.slice(-maxPieces), lastSeq: seq, changedSeq }
  }
  switch (change.kind) {
    case 'deleted':
      return null
    case 'shown': {
      const pieces = insertLines(piecesBefore, change, { seq, isChange: false })
      return fileWith(pieces, before?.changedSeq ?? null)
    }
    case 'replaced':
      return fileWith(replaceText(piecesBefore, change, seq), seq)
    case 'written': {
      const lines = change.text.split('\n', maxLines)
      return fileWith(insertLines([], { firstLine: 1, lines }, { seq, isChange: true }), seq)
    }
  }
}

export interface TextPiece {
  /** Counted from 1; null if unknown. */
  readonly firstLine: number | null
  readonly lines: readonly TextLine[]
  readonly characters: number
}

type ShownLines = Pick<Extract<FileChange, { readonly kind: 'shown' }>, 'firstLine' | 'lines'>
type Replacement = Extract<FileChange, { readonly kind: 'replaced' }>

// Longer lines are data that is never edited by hand.
const maxLineCharacters = 2_000
const maxPieceCharacters = 100_000

/** New lines replace known ones with the same numbers. Without numbers, they become a piece of their own. */
function insertLines(
  pieces: readonly TextPiece[],
  { firstLine, lines: texts }: ShownLines,
  origin: LineOrigin,
): readonly TextPiece[] {
  const lines = linesOf(texts, origin)
  if (lines === null) return pieces
  const piece = pieceOf(firstLine, lines)
  if (lines.length === 0 || piece.characters > maxPieceCharacters) return pieces
  if (firstLine === null) {
    const text = pieceText(piece)
    return pieces.some((each) => pieceText(each).includes(text)) ? pieces : [...pieces, piece]
  }
  if (pieces.length === 0) return [piece]
  const numbered = pieces.filter((each) => each.firstLine !== null)
  const around = numbered.flatMap((each) => [
    ...linesWithin(each, 0, firstLine),
    ...linesWithin(each, firstLine + lines.length, Infinity),
  ])
  const unnumbered = pieces.filter((each) => each.firstLine === null)
  const text = unnumbered.length === 0 ? '' : pieceText(piece)
  const others = unnumbered.filter((each) => !text.includes(pieceText(each)))
  return [...joinPieces([...around, piece]), ...others]
}

type LineOrigin = Pick<TextLine, 'seq' | 'isChange'>

// Consecutive compactions read the same results, and each line is analysed once.
const linesByTexts = new WeakMap<
  readonly string[],
  { readonly origin: LineOrigin; readonly lines: readonly TextLine[] | null }
>()

/** Null if some lines are too long. */
function linesOf(texts: readonly string[], origin: LineOrigin): readonly TextLine[] | null {
  const isSame = (known: { readonly origin: LineOrigin }) =>
    known.origin.seq === origin.seq && known.origin.isChange === origin.isChange
  const make = () => {
    const isTooLong = texts.some((text) => text.length > maxLineCharacters)
    return { origin, lines: isTooLong ? null : texts.map((text) => new TextLine(text, origin)) }
  }
  return getOrMake(linesByTexts, texts, make, isSame).lines
}

/**
 * A piece without line numbers may repeat text of another one, so each of them changes. If no piece
 * has the old text, the new text becomes a separate piece.
 */
function replaceText(pieces: readonly TextPiece[], replacement: Replacement, seq: Seq) {
  const { before, after, everywhere } = replacement
  let addedLines = 0
  let isKnown = false
  // Pieces with line numbers come first, in line order.
  const replaced = pieces.flatMap((piece) => {
    const firstLine = piece.firstLine === null ? null : piece.firstLine + addedLines
    const isNext = !isKnown || everywhere || firstLine === null
    if (!isNext || before === '' || !pieceText(piece).includes(before))
      return { ...piece, firstLine }
    isKnown = true
    const changed = pieceOf(firstLine, replacedLines(piece, replacement, seq))
    if (firstLine !== null) addedLines += changed.lines.length - piece.lines.length
    return changed.characters > maxPieceCharacters ? [] : changed
  })
  if (isKnown) return replaced
  const lines = after.split('\n', maxLines)
  return insertLines(pieces, { firstLine: null, lines }, { seq, isChange: true })
}

function replacedLines(piece: TextPiece, { before, after, everywhere }: Replacement, seq: Seq) {
  const text = pieceText(piece)
  const lines: TextLine[] = []
  // The place up to which `lines` is complete: its offset in the text, and its line.
  let doneTo = 0
  let lineIndex = 0
  let at = text.indexOf(before)
  while (at !== -1) {
    // The replaced text with the rest of its first and last line.
    const start = at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1
    const nextBreak = text.indexOf('\n', at + before.length)
    const end = nextBreak === -1 ? text.length : nextBreak
    const changed = `${text.slice(start, at)}${after}${text.slice(at + before.length, end)}`
    const unchanged = countLineBreaks(text, doneTo, start)
    for (const line of piece.lines.slice(lineIndex, lineIndex + unchanged)) lines.push(line)
    for (const line of changed.split('\n', maxLines))
      lines.push(new TextLine(line, { seq, isChange: true }))
    lineIndex += unchanged + countLineBreaks(text, start, end) + 1
    doneTo = end + 1
    // Replaces only once per line; more is rare, and the next read of the file corrects it.
    at = everywhere && nextBreak !== -1 && before !== '' ? text.indexOf(before, doneTo) : -1
  }
  return [...lines, ...piece.lines.slice(lineIndex)]
}

function countLineBreaks(text: string, from: number, to: number): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1))
    count += 1
  return count
}

function joinPieces(pieces: readonly TextPiece[]): readonly TextPiece[] {
  const sorted = pieces.toSorted((left, right) => (left.firstLine ?? 0) - (right.firstLine ?? 0))
  const joined: TextPiece[] = []
  for (const piece of sorted) {
    const last = joined.at(-1)
    const isNext =
      last !== undefined && (last.firstLine ?? 0) + last.lines.length === piece.firstLine
    if (isNext && last.characters + piece.characters <= maxPieceCharacters)
      joined[joined.length - 1] = pieceOf(last.firstLine, [...last.lines, ...piece.lines])
    else joined.push(piece)
  }
  return joined
}

function linesWithin(piece: TextPiece, from: number, to: number): readonly TextPiece[] {
  const first = piece.firstLine ?? 0
  const lines = piece.lines.slice(Math.max(0, from - first), Math.max(0, to - first))
  return lines.length === 0 ? [] : [pieceOf(Math.max(first, from), lines)]
}

function pieceOf(firstLine: number | null, lines: readonly TextLine[]): TextPiece {
  return { firstLine, lines, characters: analysisOf(lines).characters }
}

function pieceText({ lines }: TextPiece): string {
  return lines.map(({ text }) => text).join('\n')
}
