/**
 * An upper estimate of the tokens of a text, for models whose tokenizer is not at
 * hand. No vocabulary, one pass, the same for every model.
 *
 * The text is cut into the pieces that tokenizers merge within; each piece is at
 * least one token, and what it is expected to cost beyond that is judged from its
 * letters. To the sum comes a margin that grows with the doubt in it. A token is
 * at least a byte, so the bytes of the text are a bound that always holds.
 */
import type { Tokenizer } from '../ports/tokenizer.ts'
import { forEachPiece } from './estimate-pieces.ts'
import { addDigits, addSpace, addSymbols } from './estimate-symbols.ts'
import { newTotals, upperEstimate } from './estimate-totals.ts'
import { addWord } from './estimate-word.ts'

/**
 * @example
 * estimator.count('How many tokens is this?') // 7 or a little more
 */
export const estimator: Tokenizer = {
  id: 'estimate/1',
  exact: false,
  count(text) {
    const totals = newTotals(text)
    forEachPiece(text, (kind, start, body, end) => {
      switch (kind) {
        case 'word':
          return addWord(totals, start, body, end)
        case 'digits':
          return addDigits(totals, start, end)
        case 'symbols':
          return addSymbols(totals, start, end)
        case 'space':
          return addSpace(totals, start, end)
      }
    })
    return Math.min(upperEstimate(totals), utf8Length(text))
  },
}

/** Bytes of the text in UTF-8, where half a surrogate pair becomes U+FFFD. */
function utf8Length(text: string): number {
  let bytes = text.length
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code <= 0x7f) continue
    bytes += code <= 0x7ff ? 1 : 2
    if (isPair(code, text.charCodeAt(index + 1))) index += 1
  }
  return bytes
}

function isPair(high: number, low: number): boolean {
  return high >= 0xd800 && high <= 0xdbff && low >= 0xdc00 && low <= 0xdfff
}
