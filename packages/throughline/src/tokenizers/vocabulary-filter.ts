/**
 * The o200k vocabulary as a set of fingerprints: whether a part of a text is a token and how early
 * it was learned, but not which token. One of 13,600 look-ups is a false positive. The rarest fifth
 * of the vocabulary is left out: its words count as several shorter tokens.
 *
 * Byte pairs are merged in the order in which they were learned. That order would double the data,
 * so tokens are grouped into generations: narrow ones for early tokens, which split most words.
 */
import { extendHash, fingerprint, fingerprintBits } from './piece-hashes.ts'
import { generationSizes, packedFingerprints } from './vocabulary-data.ts'

/** The generation of text that is no token: after all others. */
export const noToken = 255

/** The first of the late generations, which have nine tenths of the vocabulary. */
export const lateGeneration = 11

export function generationOf(hash: number): number {
  if (!unpacked) unpack()
  const key = fingerprint(hash)
  let slot = key & slotMask
  for (;;) {
    const found = keys[slot] ?? empty
    if (found === key) return generations[slot] ?? noToken
    if (found === empty) return noToken
    slot = (slot + 1) & slotMask
  }
}

/** The same for two bytes, given as one number: most look-ups are for these. */
export function generationOfTwoBytes(twoBytes: number): number {
  if (!unpacked) unpack()
  return generationsOfTwo[twoBytes] ?? noToken
}

// Three times as many slots as tokens, so that runs of full slots stay short.
const slotMask = 2 ** 19 - 1
const empty = -1

// Built at first use: a program with an exact tokenizer never needs them.
let unpacked = false
let keys = new Int32Array(0)
let generations = new Uint8Array(0)
let generationsOfTwo = new Uint8Array(0)

function unpack(): void {
  keys = new Int32Array(slotMask + 1).fill(empty)
  generations = new Uint8Array(slotMask + 1)
  const nextBit = bitReader(packedFingerprints)
  for (const [generation, size] of generationSizes.entries()) {
    const lowBits = lowBitsOf(size, fingerprintBits)
    // Fingerprints of a generation are sorted, and stored as the gaps between them (Golomb code):
    // the high part as a number of ones, then the low bits.
    let key = -1
    for (let index = 0; index < size; index += 1) {
      let gap = 0
      while (nextBit() === 1) gap += 1
      for (let bit = 0; bit < lowBits; bit += 1) gap = gap * 2 + nextBit()
      key += 1 + gap
      insert(key, generation)
    }
  }
  unpacked = true
  generationsOfTwo = Uint8Array.from({ length: 0x10000 }, (_, twoBytes) =>
    generationOf(extendHash(extendHash(0, twoBytes >> 8), twoBytes & 0xff)),
  )
}

function insert(key: number, generation: number): void {
  let slot = key & slotMask
  while (keys[slot] !== empty) {
    // Two tokens with one fingerprint: the earlier one decides more splits.
    if (keys[slot] === key) return
    slot = (slot + 1) & slotMask
  }
  keys[slot] = key
  generations[slot] = generation
}

/** The bits of a gap that are not unary, for the shortest code. */
export function lowBitsOf(size: number, rangeBits: number): number {
  return Math.max(0, Math.floor(rangeBits + Math.log2(Math.LN2 / size)))
}

/** The 85 digits: ASCII from `(` on without the backslash, so no quote needs escaping. */
export function digitsOfBase85(): string {
  const codes = Array.from({ length: 86 }, (_, index) => firstDigit + index)
  return String.fromCharCode(...codes.filter((code) => code !== backslash))
}

const firstDigit = 0x28
const backslash = 0x5c

/** Reads one bit at a time, from words of five digits. */
function bitReader(packed: string): () => number {
  let [at, word, left] = [0, 0, 0]
  return () => {
    if (left === 0) {
      word = 0
      for (const end = at + 5; at < end; at += 1) {
        const code = packed.charCodeAt(at)
        word = word * 85 + code - firstDigit - (code > backslash ? 1 : 0)
      }
      word |= 0
      left = 32
    }
    left -= 1
    return (word >>> left) & 1
  }
}
