/**
 * The hash that the vocabulary is kept by: a polynomial over UTF-8 bytes. From the
 * hashes of all beginnings of a piece follows, in two steps, that of any part of
 * it, so that merging byte pairs makes no strings.
 */
const multiplier = 0xcc9e2d51

/** The hash of the bytes so far and one more; the hash of nothing is 0. */
export function extendHash(hash: number, byte: number): number {
  // One is added to the byte, or leading zeroes would not change the hash.
  return (Math.imul(hash, multiplier) + byte + 1) | 0
}

/** The hash of what comes after `before` in `whole`, which is `length` bytes. */
export function hashOfRest(whole: number, before: number, length: number): number {
  return (whole - Math.imul(before, powers[length] ?? 0)) | 0
}

const longestHashedBytes = 4096
const powers = new Int32Array(longestHashedBytes + 1)
powers[0] = 1
for (let length = 1; length <= longestHashedBytes; length += 1) {
  powers[length] = Math.imul(powers[length - 1] ?? 0, multiplier)
}

/** How many different fingerprints there are; the vocabulary is 1 in 13,600 of them. */
export const fingerprintBits = 31

/** Spreads a hash, whose low bits know only the low bits of the text, over all bits. */
export function fingerprint(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> (32 - fingerprintBits)
}
