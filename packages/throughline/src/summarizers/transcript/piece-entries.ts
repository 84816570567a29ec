/** What messages have become in a tree, as entries of a transcript. */
import type { ToldPiece } from '../../ports/summary-style.ts'
import type { Entry } from './entry.ts'
import { setOff } from './set-off.ts'

export function pieceEntries(pieces: readonly ToldPiece[]): readonly Entry[] {
  return pieces.map(({ seq, text, isExcerpt }, index) => ({
    seq,
    role: 'segment',
    author: null,
    incomplete: isExcerpt,
    text: setOff(text.toWellFormed()),
    part: pieces.length === 1 ? null : { number: index + 1, of: pieces.length },
  }))
}
