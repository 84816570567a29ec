/**
 * What letters add to the cost of a word, read from the packed tables: pairs of
 * Latin letters, frequent words, frequent Han and Hangul, and a rate per letter
 * for every other script.
 */
import {
  alphabet,
  commonHan,
  commonHangul,
  commonWords,
  letterPairs,
  pairedSymbols,
  symbolPairs,
} from './estimate-tables.ts'

/** Tokens a letter of a script adds, and a word that begins with it. */
export interface Script {
  readonly from: number
  readonly to: number
  readonly perWord: number
  readonly perLetter: number
  readonly variancePerLetter: number
}

/** The edges of a word, among the letters that can be a neighbour; a to z are 1 to 26. */
export const wordStart = 0
export const wordEnd = 27

const letterTable = readWeights(letterPairs)
const symbolTable = readWeights(symbolPairs)

/** Tokens that two neighbours in a word add. */
export function letterPair(before: number, letter: number): number {
  return letterTable[before * 28 + letter] ?? 0
}

const symbolPlaces = Array.from({ length: 128 }, (_, code) =>
  pairedSymbols.indexOf(String.fromCharCode(code)),
)

/** Tokens that two neighbouring ASCII symbols add. */
export function symbolPair(before: number, code: number): number {
  const row = symbolPlaces[before] ?? -1
  const column = symbolPlaces[code] ?? -1
  // Control characters are in no table: each a token.
  if (row < 0 || column < 0) return 1
  return symbolTable[row * pairedSymbols.length + column] ?? 0
}

function readWeights(packed: string): Float64Array {
  return Float64Array.from(packed, (letter) => alphabet.indexOf(letter) * 0.02 - 0.3)
}

export const hashSeed = 0x811c9dc5 | 0

/** One step of the hash FNV-1a. */
export function hashStep(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193)
}

const commonHashes = new Set(readGaps(commonWords, 2))

/** True for the listed words, and by chance for one in four thousand others. */
export function isCommonWord(hash: number): boolean {
  return commonHashes.has((hash ^ (hash >>> 12)) & 0x7fffff)
}

const hanStart = 0x4e00
const hangulStart = 0xac00
const commonCharacters = new Uint8Array(0x10000)
for (const place of readGaps(commonHan, 1)) commonCharacters[hanStart + place] = 1
for (const place of readGaps(commonHangul, 1)) commonCharacters[hangulStart + place] = 1

function readGaps(packed: string, lettersPerGap: 1 | 2): number[] {
  const places: number[] = []
  const largestGap = alphabet.length ** lettersPerGap - 1
  let place = -1
  for (let index = 0; index < packed.length; index += lettersPerGap) {
    let gap = 0
    for (const letter of packed.slice(index, index + lettersPerGap)) {
      gap = gap * alphabet.length + alphabet.indexOf(letter)
    }
    place += gap
    if (gap < largestGap) places.push(place)
  }
  return places
}

const hanFrequent = script([hanStart, 0xa000], [0.45, 0.75, 0.18])
const hanRare = script([hanStart, 0xa000], [0.4, 2.5, 0.25])
const hangulFrequent = script([hangulStart, 0xd7a4], [0.75, 0.52, 0.2])
const hangulRare = script([hangulStart, 0xd7a4], [0.75, 2.3, 0.3])

// [perWord, perLetter, variancePerLetter]: regression lines over distinct words
// of real text, so that rare words weigh as much as frequent ones.
const scripts: readonly Script[] = [
  script([0xc0, 0x100], [0.4, 0.8, 0.3]), // Latin with accents
  script([0x100, 0x250], [0.4, 0.95, 0.3]),
  script([0x1e00, 0x1f00], [0.4, 0.6, 0.3]), // Vietnamese
  script([0x250, 0x300], [0.4, 0.9, 0.3]), // Azeri, Hausa, phonetics
  script([0x300, 0x370], [0.4, 3, 0.1]), // combining marks
  script([0x370, 0x400], [0.2, 0.43, 0.17]), // Greek
  script([0x410, 0x430], [0.45, 0.65, 0.16]), // Cyrillic capitals
  script([0x430, 0x450], [0.5, 0.29, 0.17]), // Cyrillic
  script([0x400, 0x530], [0.45, 1.2, 0.25]), // Cyrillic beyond Russian
  script([0x530, 0x560], [0.5, 0.8, 0.2]), // Armenian capitals
  script([0x530, 0x590], [0.6, 0.33, 0.16]), // Armenian
  script([0x590, 0x600], [0.1, 0.45, 0.11]), // Hebrew
  script([0x620, 0x650], [0.4, 0.35, 0.13]), // Arabic
  script([0x670, 0x6e0], [0.4, 0.6, 0.2]), // Persian, Urdu
  script([0x600, 0x780], [0.3, 1, 0.3]), // Arabic letters of other languages
  script([0x950, 0x960], [0.6, 1.8, 0.3]), // Devanagari of few languages
  script([0x970, 0x980], [0.6, 1.8, 0.3]),
  script([0x900, 0x980], [0.4, 0.38, 0.15]), // Devanagari
  script([0x980, 0xa00], [0.55, 0.38, 0.14]), // Bengali
  script([0xa00, 0xa80], [0.4, 0.7, 0.16]), // Gurmukhi
  script([0xa80, 0xb00], [0.8, 0.41, 0.18]), // Gujarati
  script([0xb00, 0xb80], [0.2, 1.1, 0.15]), // Odia
  script([0xb80, 0xc00], [2, 0.36, 0.35]), // Tamil
  script([0xc00, 0xc80], [1, 0.39, 0.17]), // Telugu
  script([0xc80, 0xd00], [1.9, 0.3, 0.18]), // Kannada
  script([0xd00, 0xd80], [1.7, 0.25, 0.16]), // Malayalam
  script([0xd80, 0xe00], [0.4, 0.6, 0.15]), // Sinhala
  script([0xe00, 0xe80], [1.1, 0.41, 0.23]), // Thai
  script([0xe80, 0xf00], [0.2, 1.95, 0.1]), // Lao
  script([0xf00, 0x1000], [0.2, 1.7, 0.2]), // Tibetan
  script([0x1000, 0x10a0], [0.5, 0.54, 0.2]), // Burmese
  script([0x10a0, 0x1100], [0.6, 0.33, 0.15]), // Georgian
  script([0x1200, 0x1380], [0.2, 2, 0.05]), // Ethiopic
  script([0x1780, 0x1800], [0.2, 0.57, 0.18]), // Khmer
  script([0x3040, 0x30a0], [0.4, 0.62, 0.18]), // Hiragana
  script([0x30a0, 0x3100], [0.4, 0.67, 0.17]), // Katakana
  script([0xd800, 0xe000], [0, 2, 0.05]), // halves of letters of four bytes
]

/** All others: three bytes a letter, and few vocabularies know any. */
const unknownScript = script([0, 0x10000], [0, 3, 0.1])

function script(
  [from, to]: readonly [number, number],
  [perWord, perLetter, variancePerLetter]: readonly [number, number, number],
): Script {
  return { from, to, perWord, perLetter, variancePerLetter }
}

// One look-up for each block of sixteen code units; no script begins inside one.
const scriptOfBlock = Array.from(
  { length: 0x1000 },
  (_, block) =>
    scripts.find((one) => block * 16 >= one.from && block * 16 < one.to) ?? unknownScript,
)

/** The script of a code unit that is not an ASCII letter. */
export function scriptOf(code: number): Script {
  if (code >= hanStart && code < 0xa000) {
    return commonCharacters[code] === 1 ? hanFrequent : hanRare
  }
  if (code >= hangulStart && code < 0xd7a4) {
    return commonCharacters[code] === 1 ? hangulFrequent : hangulRare
  }
  return scriptOfBlock[code >> 4] ?? unknownScript
}
