/**
 * The runs of a text without a space in them that can hold an identifier. Plain words, which
 * are most of any text, are passed over while they are walked.
 */

export function eachRun(
  text: string,
  visit: (from: number, to: number, isAscii: boolean) => void,
): void {
  for (let at = 0; at < text.length; at += 1) {
    const first = text.charCodeAt(at)
    let sort = first < 128 ? (ascii[first] ?? none) : sortOf(first)
    if (sort === none) continue
    const from = at
    let isAscii = first < 128
    // Where the first stands that is more than a letter of a plain word.
    let tellingAt = sort === mark ? at : -1
    for (at += 1; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      sort = code < 128 ? (ascii[code] ?? none) : sortOf(code)
      if (sort === none) break
      if (sort !== small && tellingAt < 0) tellingAt = at
      if (code >= 128) isAscii = false
    }
    if (tellingAt < 0 || at - from < 2) continue
    // A plain word with the mark that ends its sentence or a part of it.
    if (tellingAt === at - 1 && ending[text.charCodeAt(tellingAt)] === 1) continue
    visit(from, at, isAscii)
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

const ending: Uint8Array = new Uint8Array(128)
for (const letter of '!,*=?&:.') ending[letter.charCodeAt(0)] = 1

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
