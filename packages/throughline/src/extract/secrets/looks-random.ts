/**
 * Decides whether a value looks random. Words have frequent pairs of letters, and their character
 * class (small letter, capital, digit) changes rarely.
 */

import { commonPairs, expanded, filledIn, repeated } from './secret-words-data.ts'

/** At least twelve characters; anything shorter is as likely to be a word. */
export function looksRandom(value: string): boolean {
  if (value.length < 12 || !isVaried(value)) return false
  const { pairs, changes, common, digitRuns, hasBothCases } = traits(value)
  if (pairs === 0 || (digitRuns < 2 && camelCase.test(value.slice(0, sampleLength)))) return false
  const changeShare = changes / pairs
  const commonShare = common / pairs
  if (digitRuns > 2) return changeShare > commonShare
  if (digitRuns > 0)
    return commonShare < 0.18 ? changeShare > 0.1 : changeShare - commonShare > 0.12
  if (hasBothCases) return commonShare < 0.18 ? changeShare > 0.25 : changeShare > 0.45
  return value.length >= 20 && commonShare < 0.15
}

/** Has enough different characters for a key: not `xxxxxx` or `000000`. */
export function isVaried(value: string): boolean {
  return isVariedAt(value, 0, value.length)
}

/** `isVaried` of a part of a text, without a copy, because it runs at every prefix. */
export function isVariedAt(text: string, from: number, to: number): boolean {
  const length = Math.min(to - from, variedLength)
  // One bit for each character; collisions are too rare to matter.
  let low = 0
  let high = 0
  for (let at = from; at < from + length; at += 1) {
    const code = text.charCodeAt(at)
    if ((code & 32) === 0) low |= 1 << (code & 31)
    else high |= 1 << (code & 31)
  }
  return bitsIn(low) + bitsIn(high) >= Math.min(8, length / 2)
}

function bitsIn(word: number): number {
  let count = 0
  for (let rest = word; rest !== 0; rest &= rest - 1) count += 1
  return count
}

/** Only this much of a value is read; the rest of a long one adds nothing. */
const sampleLength = 56
const variedLength = 32

/** Words run together, each with a capital and at least one small letter after it. */
const camelCase = /^[$_a-z]*[0-9]{0,4}(?:[.$_]?[A-Z][a-z]+[0-9]{0,4}|V[0-9]{1,2})*[A-Z]?$/

function traits(value: string) {
  const length = Math.min(value.length, sampleLength)
  let [pairs, changes, common, digitRuns] = [0, 0, 0, 0]
  let [seenClasses, classBefore, letterBefore] = [0, 0, 0]
  for (let at = 0; at < length; at += 1) {
    const code = value.charCodeAt(at)
    const here = classes[code] ?? 0
    const letter = here !== 0 && here !== digit ? (code | 32) - 97 : -1
    seenClasses |= here
    if (here === digit && classBefore !== digit) digitRuns += 1
    if (here !== 0 && classBefore !== 0) {
      pairs += 1
      if (here !== classBefore) changes += 1
      if (letter >= 0 && letterBefore >= 0) common += frequentPairs[letterBefore * 26 + letter] ?? 0
    }
    classBefore = here
    letterBefore = letter
  }
  const hasBothCases = (seenClasses & small) !== 0 && (seenClasses & capital) !== 0
  return { pairs, changes, common, digitRuns, hasBothCases }
}

const small = 1
const capital = 2
const digit = 4

/** The class of each ASCII character; 0 for what is neither letter nor digit. */
const classes: Uint8Array = new Uint8Array(128)
  .fill(digit, 48, 58)
  .fill(capital, 65, 91)
  .fill(small, 97, 123)

const frequentPairs = new Uint8Array(26 * 26)
for (const pair of commonPairs.split(' '))
  frequentPairs[(pair.charCodeAt(0) - 97) * 26 + pair.charCodeAt(1) - 97] = 1

/** A placeholder to fill in, a shell variable, or a redacted value. */
export function isPlaceholder(value: string): boolean {
  const sample = value.slice(0, 200)
  return expanded.test(sample) || filledIn.test(sample) || repeated.test(sample)
}
