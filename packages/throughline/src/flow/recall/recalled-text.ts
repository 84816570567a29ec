import type { Message } from '../../domain/message.ts'
import type { FoundBy } from '../../domain/recall.ts'
import type { PieceKey } from '../../domain/search-index.ts'
import { anchorOf, type Span } from '../../domain/span.ts'
import { originsOf } from '../../domain/typed-in.ts'
import { oneLine } from '../../extract/one-line.ts'
import { dateText } from '../text/page-text.ts'
import { piecesOf } from './message-pieces.ts'

type RecalledRange = ReturnType<typeof rangeOf>

/** In the order of the log. */
export function rangesOf(pieces: readonly ChosenPiece[]): readonly RecalledRange[] {
  const runs: ChosenPiece[][] = []
  for (const piece of pieces) {
    if (isBeside(runs.at(-1)?.at(-1), piece)) runs.at(-1)?.push(piece)
    else runs.push([piece])
  }
  return runs.map(rangeOf)
}

function rangeOf(pieces: readonly ChosenPiece[]) {
  const first = pieces[0]?.message
  const from = first?.seq ?? 0
  const to = (pieces.at(-1)?.message.seq ?? from) + 1
  const worth = pieces.reduce((most, piece) => Math.max(most, piece.worth), 0)
  const origins = [...new Set(pieces.flatMap(({ message }) => [...originsOf(message)]))]
  const text = linesOf(pieces).join('\n')
  const foundBy = joinedReasons(pieces)
  return { span: { from, to }, at: first?.createdAt ?? 0, worth, origins, text, foundBy }
}

function joinedReasons(pieces: readonly ChosenPiece[]): FoundBy {
  const unique = <Item>(items: readonly Item[]) => [...new Set(items)]
  const words = unique(pieces.flatMap((piece) => piece.words))
  const names = unique(pieces.flatMap((piece) => piece.names))
  const isMatch = words.length + names.length > 0
  const neighbours = isMatch ? [] : unique(pieces.flatMap((piece) => piece.neighbours))
  const meanings = pieces.flatMap(({ meaning }) => meaning ?? [])
  const meaning = meanings.length === 0 ? null : Math.max(...meanings)
  return { words, names, neighbours, meaning }
}

export function rangeText({ span, at, text }: RecalledRange): string {
  return `${headOf(span, at)}\n${text}`
}

/** `#12-#18 · 2026-03-05 14:10` */
export function headOf(span: Span, at: number): string {
  return [anchorOf(span), ...dateText(at)].join(' · ')
}

function linesOf(pieces: readonly ChosenPiece[]): readonly string[] {
  const lines: string[] = []
  let before: ChosenPiece | null = null
  for (const piece of pieces) {
    const isSame: boolean = before?.message.seq === piece.message.seq
    const isContinued: boolean = isSame && before?.to === piece.from
    const text: string = pieceText(piece)
    if (isContinued) lines[lines.length - 1] += text
    else lines.push(`${isSame ? '… ' : beginning(piece)}${text}`)
    before = piece
  }
  return lines
}

/** The beginning of a line. */
export function beginning({ message, from }: ChosenPiece): string {
  return `${speakerOf(message)}: ${from > 0 ? '… ' : ''}`
}

export const noReason: FoundBy = { words: [], names: [], neighbours: [], meaning: null }

export interface ChosenPiece extends FoundBy {
  readonly message: Message
  readonly key: PieceKey
  readonly from: number
  readonly to: number
  readonly worth: number
}

export function pieceText({ message, from, to }: ChosenPiece): string {
  return piecesOf(message).text.slice(from, to)
}

/** Pieces of one message, or of two successive ones, are shown together. */
export function isBeside(one: ChosenPiece | undefined, other: ChosenPiece | undefined): boolean {
  if (one === undefined || other === undefined) return false
  return Math.abs(one.message.seq - other.message.seq) <= 1
}

function speakerOf({ author, role, parts }: Message): string {
  if (author !== null) return shortName(author)
  const tool = parts.find((part) => part.type === 'tool-result')
  return role === 'tool' && tool?.name ? shortName(`result of ${tool.name}`) : role
}

/** Names come from outside and may be long. */
function shortName(name: string): string {
  return oneLine(name).slice(0, nameCharacters).toWellFormed()
}

const nameCharacters = 80
