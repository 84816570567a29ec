/**
 * Character classes that decide where pieces start and end: Unicode categories, as in any tokenizer
 * that splits with a Unicode regular expression.
 */
export const characterClass = {
  upper: 0,
  lower: 1,
  /** Letters without case: Han, kana, Arabic, Thai … */
  caseless: 2,
  mark: 3,
  number: 4,
  space: 5,
  lineBreak: 6,
  symbol: 7,
} as const

type CharacterClass = (typeof characterClass)[keyof typeof characterClass]

/** Half of a broken surrogate pair is a symbol. */
export function classOf(codePoint: number): number {
  if (codePoint >= tableSize) return classify(codePoint)
  const known = table[codePoint] ?? unknown
  if (known !== unknown) return known
  const found = classify(codePoint)
  table[codePoint] = found
  return found
}

// Filled on demand. Two planes cover all that people write, with emoji.
const tableSize = 0x20000
const unknown = 255
const table = new Uint8Array(tableSize).fill(unknown)

function classify(codePoint: number): CharacterClass {
  const character = String.fromCodePoint(codePoint)
  if (/[\r\n]/.test(character)) return characterClass.lineBreak
  if (/\s/.test(character)) return characterClass.space
  if (/[\p{Lu}\p{Lt}]/u.test(character)) return characterClass.upper
  if (/\p{Ll}/u.test(character)) return characterClass.lower
  if (/\p{L}/u.test(character)) return characterClass.caseless
  if (/\p{M}/u.test(character)) return characterClass.mark
  if (/\p{N}/u.test(character)) return characterClass.number
  return characterClass.symbol
}
