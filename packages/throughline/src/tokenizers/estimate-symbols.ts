/**
 * What runs of symbols, of space and of digits cost.
 *
 * A run of symbols is one token as often as its neighbours are often together
 * (`);` but not `;(`), so it costs a sum over pairs, like a word. Runs of one
 * symbol have tokens of their own, longer for those that people draw lines with.
 * Symbols beyond ASCII cost by their block.
 */
import { hashSeed, hashStep, symbolPair } from './estimate-letters.ts'
import { addPiece, type Totals } from './estimate-totals.ts'

export function addSymbols(totals: Totals, start: number, end: number): void {
  const { text } = totals
  let hash = hashSeed
  let extra = 0
  let variance = 0
  let run = 1
  let before = text.codePointAt(start) ?? 0
  if (before > lastAscii) {
    extra = wideSymbol(before) - 1
    variance = wideVariance
  }
  for (let index = start + widthOf(before); index < end; ) {
    const code = text.codePointAt(index) ?? 0
    hash = hashStep(hash, code)
    run = code === before ? run + 1 : 1
    if (run > 3) {
      if (lineSymbols.includes(text.charAt(index))) {
        extra += run === 5 ? 0.5 : 0.03
        variance += run === 5 ? 0.35 : 0.01
      } else {
        extra += 0.33
        variance += 0.1
      }
    } else if (code > lastAscii) {
      extra += run === 1 ? wideSymbol(code) : 0.4
      variance += wideVariance
    } else {
      extra += before > lastAscii ? 0.9 : symbolPair(before, code)
    }
    before = code
    index += widthOf(code)
  }
  // Two symbols are known better than the sums over longer runs say.
  if (end - start === 2) extra -= 0.2
  else if (end - start > 2) variance += 0.04
  extra = Math.max(0, extra)
  addPiece(totals, extra, variance + Math.min(0.8 * extra, 0.22) + 0.04 * extra, hash)
}

const lastAscii = 0x7f
const lineSymbols = '-=*#._/~+% '
const wideVariance = 0.25

function widthOf(code: number): number {
  return code > 0xffff ? 2 : 1
}

/** Tokens of a symbol beyond ASCII, by the block it is in. */
export function wideSymbol(code: number): number {
  for (const [end, tokens] of wideBlocks) if (code < end) return tokens
  return 4
}

const wideBlocks = [
  [0x100, 1], // Latin-1: « » © °
  [0x2000, 2],
  [0x2070, 1.1], // dashes, quotes, bullets
  [0x2190, 1.9],
  [0x2200, 1.3], // arrows
  [0x2500, 2.2], // mathematics
  [0x25a0, 1.5], // boxes and bars
  [0x2c00, 2.1], // pictures
  [0x3000, 3],
  [0x3040, 1.1], // punctuation of East Asia
  [0xff00, 3],
  [0xfff0, 1.1], // the same, full width
  [0x10000, 2],
  [0x1f000, 4],
  [0x20000, 2.3], // emoji
] as const

/**
 * Books a run of space. Indentation, blank lines and both together are tokens of
 * their own up to some length; each further change of kind begins another.
 */
export function addSpace(totals: Totals, start: number, end: number): void {
  const { text } = totals
  let extra = 0
  let changes = 0
  let run = 0
  let before = -1
  let returns = 0
  let unpaired = 0
  for (let index = start; index < end; index += 1) {
    const code = text.charCodeAt(index)
    if (code > lastAscii) extra += 0.5
    // "\r\n" is one line break, not two kinds of space.
    const kind = code === carriageReturn ? newline : code
    if (kind === newline) unpaired += code === newline ? -1 : 1
    run = kind === before ? run + 1 : 1
    if (run === 1) changes += 1
    else if (kind === blank) extra += run > longestBlank ? 1.5 / longestBlank : 0
    else if (kind === tab || kind === newline) extra += run > 10 ? 0.1 : 0
    before = kind
    if (code === carriageReturn) returns += 1
  }
  // Line breaks of two kinds in one run.
  if (returns > 0 && unpaired !== 0) changes += 2
  if (changes > 2 || (changes === 2 && end - start > longestMixed)) {
    addPiece(totals, extra + 0.6 * (changes - 1), 0.3 * (changes + extra), end - start)
  } else {
    addPiece(totals, extra, 0.3 * extra, end - start)
  }
}

const blank = 0x20
const tab = 0x09
const newline = 0x0a
const carriageReturn = 0x0d
const longestBlank = 79
const longestMixed = 12

/** Up to three ASCII digits are one token; others cost their characters. */
export function addDigits(totals: Totals, start: number, end: number): void {
  const ascii = totals.text.charCodeAt(start) <= lastAscii
  const extra = ascii ? 0 : end - start
  // A number glued to letters is part of an id or a hash, whose words are no words.
  if (isAsciiLetter(totals.text.charCodeAt(end))) totals.familiarity *= 0.7
  addPiece(totals, extra, 0.3 * extra, hashSeed)
}

function isAsciiLetter(code: number): boolean {
  return (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a
}
