/**
 * Terms as FTS5 gets them: a number of 48 bits for each, in hexadecimal digits.
 *
 * FTS5 keeps the beginnings of deleted terms in its inner tables, also with `secure-delete`; a number does
 * not reveal what was purged. And any string is one token: none is split, folded or taken for an operator.
 */

/** Not cryptographic: a wrong hit would help an attacker little. */
export function termCode(text: string): number {
  let [low, high] = [0x811c9dc5, 0x1b873593]
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    low = Math.imul(low ^ unit, 0x01000193)
    high = Math.imul(high ^ unit, 0x85ebca6b)
  }
  // Each half gets to know the other, or short texts would differ in a few bits only.
  low = mixed(low ^ (high >>> 15))
  high = mixed(high ^ low)
  return (high >>> 16) * 0x1_0000_0000 + (low >>> 0)
}

function mixed(half: number): number {
  const spread = Math.imul(half ^ (half >>> 16), 0x85ebca6b)
  const again = Math.imul(spread ^ (spread >>> 13), 0xc2b2ae35)
  return again ^ (again >>> 16)
}

const bytesOfCode = 6

/** Each code once. */
export function codesCell(codes: Iterable<number>): Uint8Array {
  const distinct = new Set(codes)
  const bytes = Buffer.alloc(distinct.size * bytesOfCode)
  let at = 0
  for (const code of distinct) at = bytes.writeUIntBE(code, at, bytesOfCode)
  return bytes
}

/** What FTS5 reads of such a row. */
export function codesText(cell: Uint8Array): string {
  const { buffer, byteOffset, byteLength } = cell
  return Buffer.from(buffer, byteOffset, byteLength).toString('hex').replace(/.{12}/g, '$& ')
}

/** What FTS5 is asked: pieces with all of them. */
export function codesQuery(codes: Iterable<number>): string {
  return Array.from(codes, (code) => `"${codeText(code)}"`).join(' ')
}

export function codeText(code: number): string {
  return code.toString(16).padStart(2 * bytesOfCode, '0')
}

/**
 * Names as FTS5 gets them: a code for each run of three characters. What holds all runs of a part
 * is a candidate; the text of the names decides.
 */
export function* nameCodes(foldedNames: string): Generator<number> {
  for (const name of foldedNames.split('\n')) {
    const characters = Array.from(name)
    for (let at = 0; at + runLength <= characters.length; at += 1) yield codeAt(characters, at)
  }
}

/** Of some runs of a part, from its beginning to its end. */
export function partCodes(foldedPart: string): ReadonlySet<number> {
  const characters = Array.from(foldedPart)
  const last = characters.length - runLength
  const step = Math.max(1, last / mostRuns)
  const codes = new Set([codeAt(characters, last)])
  for (let at = 0; at < last; at += step) codes.add(codeAt(characters, Math.floor(at)))
  return codes
}

/** Then a piece with that run has the whole part. */
export function isOneRun(foldedPart: string): boolean {
  return Array.from(foldedPart).length === runLength
}

const runLength = 3

/** More of them leave hardly fewer candidates. */
const mostRuns = 12

function codeAt(characters: readonly string[], at: number): number {
  return termCode(characters.slice(at, at + runLength).join(''))
}
