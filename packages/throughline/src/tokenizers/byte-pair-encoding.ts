/**
 * Counts the tokens of an encoding in typed arrays: the bytes of all tokens in the order of their ranks,
 * and a table from the hash of a token to its rank. gpt-tokenizer has a string for each token, which
 * takes ten times the memory and five times the time to load, and is slow where a piece is no token.
 */

/** The tokens of an encoding, in the order in which their pairs are merged. */
export interface Ranks {
  /** All tokens, one after the other. */
  readonly bytes: Uint8Array
  /** Where the token of each rank starts, then the end of the last. */
  readonly starts: Int32Array
  /** Slots, by hash: a rank and one, or zero. */
  readonly slots: Int32Array
  readonly longest: number
}

/** Reads a file of lines, each a token in Base64 and its rank; the lines have the order of the ranks. */
export function readRanks(file: Uint8Array): Ranks {
  const bytes = new Uint8Array(file.length)
  // No line is shorter.
  const starts = new Int32Array(Math.ceil(file.length / '!w== 0'.length) + 1)
  let [end, tokens] = [0, 0]
  for (let at = 0; at < file.length; at += 1) {
    // A token is never empty, so the first of a group is a digit.
    for (; (file[at] ?? 0) !== space; at += 4) {
      const first = base64Values[file[at] ?? 0] ?? 0
      const second = base64Values[file[at + 1] ?? 0] ?? 0
      const third = base64Values[file[at + 2] ?? 0] ?? 0
      const fourth = base64Values[file[at + 3] ?? 0] ?? 0
      bytes[end] = (first << 2) | (second >> 4)
      bytes[end + 1] = (second << 4) | (third >> 2)
      bytes[end + 2] = (third << 6) | fourth
      end += 3
    }
    if (file[at - 1] === padding) end -= file[at - 2] === padding ? 2 : 1
    tokens += 1
    starts[tokens] = end
    while (at < file.length && file[at] !== lineEnd) at += 1
  }
  return withSlots(bytes.slice(0, end), starts.slice(0, tokens + 1))
}

const [lineEnd, space, padding] = [0x0a, 0x20, 0x3d]
const base64Values = new Uint8Array(256)
for (const [value, digit] of [
  ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
].entries())
  base64Values[digit.charCodeAt(0)] = value

function withSlots(bytes: Uint8Array, starts: Int32Array): Ranks {
  let slotCount = 1
  while (slotCount < starts.length * 2) slotCount *= 2
  const slots = new Int32Array(slotCount)
  let longest = 0
  for (let rank = 0; rank < starts.length - 1; rank += 1) {
    const start = starts[rank] ?? 0
    const end = starts[rank + 1] ?? 0
    if (startsWithMark(bytes, start, end)) continue
    longest = Math.max(longest, end - start)
    let slot = hashOf(bytes, start, end) & (slotCount - 1)
    while (slots[slot] !== 0) slot = (slot + 1) & (slotCount - 1)
    slots[slot] = rank + 1
  }
  return { bytes, starts, slots, longest }
}

/** gpt-tokenizer does not find tokens that begin with a byte order mark; counts must agree everywhere. */
function startsWithMark(bytes: Uint8Array, start: number, end: number): boolean {
  const isMark = bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf
  return isMark && end - start >= 3
}

function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0
  for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x9e3779b1)
  return hash ^ (hash >>> 15)
}

/** `split` finds the pieces of a text; pairs are merged inside a piece. */
export function countByRanks(ranks: Ranks, split: RegExp): (text: string) => number {
  const count = pieceCounter(ranks)
  return (text) => {
    let tokens = 0
    for (const piece of text.match(split) ?? []) tokens += count(piece)
    return tokens
  }
}

/** Its arrays serve all pieces, because each is finished before the next is read. */
function pieceCounter(ranks: Ranks): (piece: string) => number {
  const encoder = new TextEncoder()
  let bytes = new Uint8Array(1_024)
  let starts = new Int32Array(bytes.length + 1)
  let pairs = new Int32Array(bytes.length + 1)
  const encode = (piece: string) => {
    if (piece.length * 3 > bytes.length) {
      bytes = new Uint8Array(piece.length * 3)
      starts = new Int32Array(bytes.length + 1)
      pairs = new Int32Array(bytes.length + 1)
    }
    for (let at = 0; at < piece.length; at += 1) {
      const code = piece.charCodeAt(at)
      if (code > 0x7f) return encoder.encodeInto(piece, bytes).written
      bytes[at] = code
    }
    return piece.length
  }
  let [last, lastTokens] = [new Uint8Array(0), 0]
  return (piece) => {
    const length = encode(piece)
    if (length === 1 || rankOf(ranks, bytes, 0, length) !== noRank) return 1
    // A long run of one character is cut into equal pieces.
    if (length === last.length && startsWith(bytes, last)) return lastTokens
    for (let at = 0; at <= length; at += 1) {
      starts[at] = at
      pairs[at] = at + 2 > length ? noRank : rankOf(ranks, bytes, at, at + 2)
    }
    const tokens = merge(ranks, { bytes, starts, pairs }, length)
    if (length >= longPiece) [last, lastTokens] = [bytes.slice(0, length), tokens]
    return tokens
  }
}

const longPiece = 64

function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  for (let at = 0; at < start.length; at += 1) if (bytes[at] !== start[at]) return false
  return true
}

/** A piece: where its tokens start, then its end, and the rank of each token with the next. */
interface Piece {
  readonly bytes: Uint8Array
  readonly starts: Int32Array
  readonly pairs: Int32Array
}

/** Merges the pair of the lowest rank, the first of equal ones, until no pair is a token. */
function merge(ranks: Ranks, { bytes, starts, pairs }: Piece, length: number): number {
  let tokens = length
  const rankPair = (at: number) => {
    pairs[at] =
      at + 2 > tokens ? noRank : rankOf(ranks, bytes, starts[at] ?? 0, starts[at + 2] ?? 0)
  }
  for (;;) {
    let lowest = noRank
    let found = 0
    for (let at = 0; at < tokens; at += 1) {
      const rank = pairs[at] ?? noRank
      if (rank >= lowest) continue
      lowest = rank
      found = at
    }
    if (lowest === noRank) return tokens
    starts.copyWithin(found + 1, found + 2, tokens + 1)
    pairs.copyWithin(found + 1, found + 2, tokens + 1)
    tokens -= 1
    rankPair(found)
    if (found > 0) rankPair(found - 1)
  }
}

/** After every rank. */
const noRank = 0x7fffffff

function rankOf(ranks: Ranks, bytes: Uint8Array, from: number, to: number): number {
  const { slots, starts, bytes: known, longest } = ranks
  const length = to - from
  if (length > longest) return noRank
  const mask = slots.length - 1
  for (let slot = hashOf(bytes, from, to) & mask; ; slot = (slot + 1) & mask) {
    const rank = (slots[slot] ?? 0) - 1
    if (rank < 0) return noRank
    const start = starts[rank] ?? 0
    if ((starts[rank + 1] ?? 0) - start !== length) continue
    let same = 0
    while (same < length && known[start + same] === bytes[from + same]) same += 1
    if (same === length) return rank
  }
}
