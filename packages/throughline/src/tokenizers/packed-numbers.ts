/**
 * Numbers spread evenly over a range, as short a text as can be: in rising order,
 * each as its gap to the one before. A gap is its high part in unary, then its low
 * bits (a Rice code), for short gaps are far more frequent than long ones. 32 bits
 * are five digits of base 85. scripts/make-vocabulary.ts writes what is read here.
 */

/** Calls `visit` with each number, lists after each other as `sizes` says. */
export function forEachPacked(
  packed: string,
  { sizes, rangeBits }: PackedShape,
  visit: (number: number, list: number) => void,
): void {
  const bits = new BitReader(packed)
  for (const [list, size] of sizes.entries()) {
    const lowBits = lowBitsOf(size, rangeBits)
    let last = -1
    for (let index = 0; index < size; index += 1) {
      last += 1 + bits.ones() * 2 ** lowBits + bits.number(lowBits)
      visit(last, list)
    }
  }
}

export interface PackedShape {
  readonly sizes: readonly number[]
  /** All numbers are below two to this power. */
  readonly rangeBits: number
}

/** How many bits of a gap are not unary: what makes the shortest code for this many. */
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

class BitReader {
  readonly #packed: string
  #at = 0
  #word = 0
  #left = 0

  constructor(packed: string) {
    this.#packed = packed
  }

  /** How many ones stand before the next zero; all of them are read. */
  ones(): number {
    let count = 0
    while (this.#bit() === 1) count += 1
    return count
  }

  number(bits: number): number {
    let value = 0
    for (let taken = 0; taken < bits; taken += 1) value = (value << 1) | this.#bit()
    return value
  }

  #bit(): number {
    if (this.#left === 0) {
      this.#word = this.#nextWord()
      this.#left = 32
    }
    this.#left -= 1
    return (this.#word >>> this.#left) & 1
  }

  #nextWord(): number {
    let word = 0
    for (let digit = 0; digit < 5; digit += 1) {
      const code = this.#packed.charCodeAt(this.#at)
      word = word * 85 + code - firstDigit - (code > backslash ? 1 : 0)
      this.#at += 1
    }
    return word | 0
  }
}
