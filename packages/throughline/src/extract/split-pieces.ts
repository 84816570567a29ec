/**
 * A text as the pieces that are found by themselves: whole where it is short, otherwise cut
 * where a paragraph, a line, a sentence or at least a word ends.
 */
export interface PieceRange {
  readonly from: number
  readonly to: number
}

export function splitPieces(
  text: string,
  most: { readonly characters: number; readonly pieces: number },
): readonly PieceRange[] {
  const characters = Math.max(most.characters, Math.ceil((text.length / most.pieces) * 2))
  const ranges: PieceRange[] = []
  for (let from = 0; from < text.length; ) {
    const to = text.length - from <= characters ? text.length : cutBefore(text, from, characters)
    ranges.push({ from, to })
    from = to
  }
  return ranges
}

/** In the second half of the piece, at the best place that there is. */
function cutBefore(text: string, from: number, characters: number): number {
  const half = from + Math.ceil(characters / 2)
  const window = text.slice(half, from + characters)
  for (const end of ends) {
    const at = window.lastIndexOf(end)
    if (at !== -1) return half + at + end.length
  }
  const to = from + characters
  const isHalved = isLowSurrogate(text.charCodeAt(to))
  return isHalved ? to - 1 : to
}

const ends = ['\n\n', '\n', '. ', '。', ' ']

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}
