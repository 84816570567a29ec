/**
 * Terms as FTS5 gets them: a number of 48 bits for each, in letters and digits.
 *
 * FTS5 keeps the beginnings of some terms in its inner tables after they were deleted, also with
 * `secure-delete`; of a number nobody reads what was purged. And any string is one token: none
 * is split, folded or taken for an operator.
 */

/** Which of 2⁴⁸ a text has; not against those who mean harm, whom a wrong hit would help little. */
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

/** What FTS5 reads. */
export function codesText(codes: readonly number[]): string {
  return codes.map((code) => code.toString(36)).join(' ')
}

/** What FTS5 is asked: pieces with all of them. */
export function codesQuery(codes: readonly number[]): string {
  return codes.map((code) => `"${code.toString(36)}"`).join(' ')
}

const bytesOfCode = 6

/** What a row keeps, because FTS5 has to be told what it shall forget. */
export function codesCell(codes: readonly number[]): Uint8Array {
  const bytes = Buffer.alloc(codes.length * bytesOfCode)
  for (const [index, code] of codes.entries())
    bytes.writeUIntBE(code, index * bytesOfCode, bytesOfCode)
  return bytes
}

export function codesOf(cell: Uint8Array): readonly number[] {
  const bytes = Buffer.from(cell.buffer, cell.byteOffset, cell.byteLength)
  return Array.from({ length: bytes.length / bytesOfCode }, (_, index) =>
    bytes.readUIntBE(index * bytesOfCode, bytesOfCode),
  )
}
