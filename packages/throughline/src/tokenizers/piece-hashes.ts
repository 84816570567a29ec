/**
 * Reads a piece of text as UTF-8 into the hashes of all its prefixes, which is all that merging
 * needs. One buffer serves all pieces, because each is finished before the next is read.
 */
/** In UTF-16 code units; longer pieces are counted in parts. */
export const maxPieceUnits = 1024
const bytesPerUnit = 3
export const maxPieceBytes = maxPieceUnits * bytesPerUnit

const prefixHashes = new Int32Array(maxPieceBytes + 1)
const bytes = new Uint8Array(maxPieceBytes)

/** Returns the number of bytes of `text[start, end)`. */
export function readPiece(text: string, start: number, end: number): number {
  let length = 0
  let hash = 0
  for (let index = start; index < end; index += 1) {
    const unit = text.charCodeAt(index)
    if (unit >= 0x80) {
      const code = (unit & 0xf800) === 0xd800 ? wholeCharacter(text, index) : unit
      if (code > 0xffff) index += 1
      length = readCharacter(code, length)
      hash = prefixHashes[length] ?? 0
      continue
    }
    bytes[length] = unit
    length += 1
    hash = extendHash(hash, unit)
    prefixHashes[length] = hash
  }
  return length
}

/** Returns the new length. */
function readCharacter(code: number, length: number): number {
  const followers = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3
  let end = length
  for (let shift = 6 * followers; shift >= 0; shift -= 6) {
    const lead = shift === 6 * followers ? (leadBytes[followers] ?? 0) : 0x80
    const byte = lead | ((code >> shift) & 0x3f)
    bytes[end] = byte
    prefixHashes[end + 1] = extendHash(prefixHashes[end] ?? 0, byte)
    end += 1
  }
  return end
}

/** The byte here and the next as one number below 65,536. */
export function twoBytesAt(at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
}

/** The hash of the bytes from `start` to `end`, from the hashes of two prefixes. */
export function hashOfBytes(start: number, end: number): number {
  const beforeStart = Math.imul(prefixHashes[start] ?? 0, powers[end - start] ?? 0)
  return ((prefixHashes[end] ?? 0) - beforeStart) | 0
}

const leadBytes = [0, 0xc0, 0xe0, 0xf0]

/** Half of a broken pair is encoded as the replacement character. */
function wholeCharacter(text: string, index: number): number {
  const code = text.codePointAt(index) ?? 0
  return code > 0xffff ? code : 0xfffd
}

/**
 * The hash of the vocabulary: a polynomial over UTF-8 bytes. The hash of any part of a piece
 * follows from two prefix hashes, so merging creates no strings.
 */
const multiplier = 0xcc9e2d51

/** The hash of the bytes so far and one more; the hash of nothing is 0. */
export function extendHash(hash: number, byte: number): number {
  // One is added to the byte, or leading zeroes would not change the hash.
  return (Math.imul(hash, multiplier) + byte + 1) | 0
}

const maxHashedBytes = 4096
const powers = new Int32Array(maxHashedBytes + 1)
powers[0] = 1
for (let length = 1; length <= maxHashedBytes; length += 1) {
  powers[length] = Math.imul(powers[length - 1] ?? 0, multiplier)
}

/** The size of a fingerprint; the vocabulary has 1 of 13,600 possible fingerprints. */
export const fingerprintBits = 31

/** Mixes all bits of a hash, because its low bits depend only on the low bits of the text. */
export function fingerprint(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> (32 - fingerprintBits)
}
