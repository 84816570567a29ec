/**
 * Cuts texts at grapheme boundaries and into pieces for the index. Reads only the text near a cut.
 */
import { lazy } from '../domain/lazy.ts'

/** The position itself, or the start of the grapheme that contains it. */
export function boundaryBefore(text: string, at: number): number {
  if (isPlain(text, at)) return at
  const start = Math.max(0, at - contextCharacters)
  const index =
    graphemes()
      .segment(text.slice(start, at + contextCharacters))
      .containing(at - start)?.index ?? 0
  if (index > 0) return start + index
  return splitsPair(text, at) ? at - 1 : at
}

/** The position itself, or the end of the grapheme that contains it. */
export function boundaryAfter(text: string, at: number): number {
  if (isPlain(text, at)) return at
  const start = Math.max(0, at - contextCharacters)
  const window = text.slice(start, at + contextCharacters)
  const cluster = graphemes()
    .segment(window)
    .containing(at - start)
  if (cluster === undefined || start + cluster.index === at) return at
  const end = cluster.index + cluster.segment.length
  if (end < window.length || start + end === text.length) return start + end
  return splitsPair(text, at) ? at + 1 : at
}

const contextCharacters = 40

/** Lazy: most texts need no segmenter, and creating one is slow. */
const graphemes = lazy(() => new Intl.Segmenter(undefined, { granularity: 'grapheme' }))

/** Characters below `firstMark` never combine with the one before, and most text is below it. */
function isPlain(text: string, at: number): boolean {
  return at <= 0 || at >= text.length || text.charCodeAt(at) < firstMark
}

const firstMark = 0x300

function splitsPair(text: string, at: number): boolean {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff
}

export interface TextRange {
  readonly from: number
  readonly to: number
}

/** A piece ends with a paragraph, a line, a sentence or at least a word; a short text is one. */
export function splitPieces(
  text: string,
  max: { readonly characters: number; readonly pieces: number },
): readonly TextRange[] {
  const characters = Math.max(max.characters, Math.ceil((text.length / max.pieces) * 2))
  const ranges: TextRange[] = []
  for (let from = 0; from < text.length; ) {
    const to = text.length - from <= characters ? text.length : cutBefore(text, from, characters)
    ranges.push({ from, to })
    from = to
  }
  return ranges
}

function cutBefore(text: string, from: number, characters: number): number {
  const half = from + Math.ceil(characters / 2)
  const window = text.slice(half, from + characters)
  for (const end of pieceEnds) {
    const at = window.lastIndexOf(end)
    if (at !== -1) return half + at + end.length
  }
  const to = from + characters
  return /[\udc00-\udfff]/.test(text[to] ?? '') ? to - 1 : to
}

const pieceEnds = ['\n\n', '\n', '. ', '。', ' ']
