/**
 * The runs of a text without a space in them that can hold an identifier. Plain words, which
 * are most of any text, are passed over while they are walked.
 */

export function eachRun(
  text: string,
  visit: (from: number, to: number, isAscii: boolean) => void,
): void {
  let from = -1
  // Whether anything in the run is more than a letter of a plain word.
  let isTelling = false
  let isAscii = true
  for (let at = 0; at <= text.length; at += 1) {
    const code = at < text.length ? text.charCodeAt(at) : 0
    const sort = code < 128 ? (ascii[code] ?? none) : sortOf(code)
    if (sort !== none) {
      if (from < 0) {
        from = at
        isTelling = false
        isAscii = true
      } else if (sort === capital) isTelling = true
      if (sort === mark) isTelling = true
      if (code >= 128) isAscii = false
    } else if (from >= 0) {
      if (isTelling && at - from > 1) visit(from, at, isAscii)
      from = -1
    }
  }
}

const none = 0
const small = 1
const capital = 2
const mark = 3

const ascii: Uint8Array = new Uint8Array(128)
  .fill(mark, 48, 58)
  .fill(capital, 65, 91)
  .fill(small, 97, 123)
for (const letter of '_$.-/\\:@#~+%?=&!,*') ascii[letter.charCodeAt(0)] = mark

/** What is known of the characters beyond ASCII; 4 for those that were not asked for yet. */
const others: Uint8Array = new Uint8Array(65_536).fill(4)

function sortOf(code: number): number {
  if (others[code] === 4) others[code] = sorted(String.fromCharCode(code))
  return others[code] ?? none
}

function sorted(letter: string): number {
  if (/\p{Lu}/u.test(letter)) return capital
  if (/\p{N}/u.test(letter)) return mark
  return /[\p{L}\p{M}]/u.test(letter) ? small : none
}
