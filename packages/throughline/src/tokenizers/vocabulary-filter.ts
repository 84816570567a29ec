/**
 * The o200k vocabulary as a set of fingerprints: whether a part of a text is a token and how early
 * it was learned, but not which token. One of 13,600 look-ups is a false positive. The rarest fifth
 * of the vocabulary is left out: its words count as several shorter tokens.
 *
 * Byte pairs are merged in the order in which they were learned. That order would double the data,
 * so tokens are grouped into generations: narrow ones for early tokens, which split most words.
 */
import { extendHash, fingerprint, fingerprintBits } from './piece-hashes.ts'
import { packedFingerprints } from './vocabulary-data.ts'

/** The generation of text that is no token: after all others. */
export const noToken = 255

/** The first of the late generations, which have nine tenths of the vocabulary. */
export const lateGeneration = 11

export function generationOf(hash: number): number {
  if (!unpacked) unpack()
  const key = fingerprint(hash)
  let slot = firstSlot(key)
  for (;;) {
    const found = keys[slot] ?? empty
    if (found === empty) return noToken
    if (found === key) return generations[slot] ?? noToken
    slot += 1
  }
}

/** The same for two bytes, given as one number: most look-ups are for these. */
export function generationOfTwoBytes(twoBytes: number): number {
  if (!unpacked) unpack()
  const known = generationsOfTwo[twoBytes] ?? noToken
  if (known !== unknownGeneration) return known
  const hash = extendHash(extendHash(0, twoBytes >> 8), twoBytes & 0xff)
  const generation = generationOf(hash)
  generationsOfTwo[twoBytes] = generation
  return generation
}

/** Not looked up yet. */
const unknownGeneration = 254

// Three times as many slots as tokens, so that runs of full slots stay short.
const slotBits = 19
// The runs at the end of the table end here.
const spareSlots = 64
// No token has this key.
const empty = 0

/** Slots have the order of keys, so that the sorted keys fill the table from its start to its end. */
function firstSlot(key: number): number {
  return key >>> (fingerprintBits - slotBits)
}

// Built at first use: a program with an exact tokenizer never needs them.
let unpacked = false
let keys = new Int32Array(0)
let generations = new Uint8Array(0)
let generationsOfTwo = new Uint8Array(0)

/**
 * All fingerprints are sorted, and each is the gap to the one before: three digits, of which the
 * quarters name the generation. The first three quarters are the three late generations; the last one has
 * a fourth digit for an early one. One short loop, because a new process runs it before it is compiled.
 */
function unpack(): void {
  keys = new Int32Array(2 ** slotBits + spareSlots)
  generations = new Uint8Array(keys.length)
  const values = digitValues()
  let key = -1
  let slot = -1
  for (let at = 0; at < packedFingerprints.length; at += 3) {
    const first = values[packedFingerprints.charCodeAt(at)] ?? 0
    const second = values[packedFingerprints.charCodeAt(at + 1)] ?? 0
    const third = values[packedFingerprints.charCodeAt(at + 2)] ?? 0
    const number = (first * digitBase + second) * digitBase + third
    const quarter = Math.floor(number / gapLimit)
    key += 1 + number - quarter * gapLimit
    slot = Math.max(slot + 1, firstSlot(key))
    keys[slot] = key
    generations[slot] = lateGeneration + quarter
    if (quarter < lateGenerations) continue
    generations[slot] = values[packedFingerprints.charCodeAt(at + 3)] ?? 0
    at += 1
  }
  unpacked = true
  generationsOfTwo = new Uint8Array(0x10000).fill(unknownGeneration)
}

export const lateGenerations = 3

/** ASCII from `&` on without the quote and the backslash, so nothing needs escaping. */
export const packedDigits = Array.from({ length: 89 }, (_, index) =>
  String.fromCharCode(0x26 + index),
)
  .filter((digit) => digit !== "'" && digit !== '\\')
  .join('')

const digitBase = packedDigits.length

/** A quarter of the numbers of three digits. */
export const gapLimit = Math.floor(digitBase ** 3 / 4)

function digitValues(): Uint8Array {
  const values = new Uint8Array(0x80)
  for (let value = 0; value < digitBase; value += 1) values[packedDigits.charCodeAt(value)] = value
  return values
}
