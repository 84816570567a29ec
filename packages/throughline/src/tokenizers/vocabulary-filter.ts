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
  const bits = new BitReader(packedFingerprints)
  for (const [generation, size] of generationSizes.entries()) {
    const lowBits = lowBitsOf(size, fingerprintBits)
    // Fingerprints of a generation are sorted, and stored as the gaps between them (Golomb code):
    // the high part as a number of ones, then the low bits.
    let key = -1
    for (let index = 0; index < size; index += 1) {
      key += 1 + bits.ones() * 2 ** lowBits + bits.number(lowBits)
      insert(key, generation)
    }
  }
  unpacked = true
  generationsOfTwo = new Uint8Array(0x10000).fill(unknownGeneration)
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

/** Reads bits from words of five digits, several at a time: the vocabulary has three million. */
class BitReader {
  readonly #packed: string
  #at = 0
  /** The unread bits of the current word are its first ones. */
  #word = 0
  #left = 0

  constructor(packed: string) {
    this.#packed = packed
  }

  /** The number of ones before the next zero, which is read too. */
  ones(): number {
    let ones = 0
    for (;;) {
      if (this.#left === 0) this.#nextWord()
      const here = Math.min(this.#left, Math.clz32(~this.#word))
      ones += here
      if (here < this.#left) {
        this.#skip(here + 1)
        return ones
      }
      this.#left = 0
    }
  }

  number(bits: number): number {
    let value = 0
    for (let missing = bits; missing > 0; ) {
      if (this.#left === 0) this.#nextWord()
      const taken = Math.min(missing, this.#left)
      value = value * 2 ** taken + (this.#word >>> (32 - taken))
      this.#skip(taken)
      missing -= taken
    }
    return value
  }

  #skip(bits: number): void {
    this.#left -= bits
    // A shift by 32 would be a shift by 0.
    this.#word = bits === 32 ? 0 : this.#word << bits
  }

  #nextWord(): void {
    let word = 0
    for (const end = this.#at + 5; this.#at < end; this.#at += 1) {
      const code = this.#packed.charCodeAt(this.#at)
      word = word * 85 + code - firstDigit - (code > backslash ? 1 : 0)
    }
    this.#word = word | 0
    this.#left = 32
  }
}
