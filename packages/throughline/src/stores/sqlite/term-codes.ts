/**
 * Encodes terms for FTS5: a number of almost 33 bits for each, as three characters.
 *
 * FTS5 keeps deleted terms in its inner tables until it merges them; a number does not reveal their
 * text. Also, every string is one token: it is not split, folded or read as an operator.
 */

/** Not cryptographic: a wrong hit would help an attacker little. */
export function termCode(text: string, from = 0, to = text.length): number {
  let low = 0x811c9dc5
  let high = 0x1b873593
  for (let index = from; index < to; index += 1) {
    const unit = text.charCodeAt(index)
    low = Math.imul(low ^ unit, 0x01000193)
    high = Math.imul(high ^ unit, 0x85ebca6b)
  }
  // Mixes the halves; otherwise short texts would differ in a few bits only.
  low = mixed(low ^ (high >>> 15))
  high = mixed(high ^ low)
  return ((high >>> 16) * 0x1_0000_0000 + (low >>> 0)) % digits ** 3
}

function mixed(half: number): number {
  const spread = Math.imul(half ^ (half >>> 16), 0x85ebca6b)
  const again = Math.imul(spread ^ (spread >>> 13), 0xc2b2ae35)
  return again ^ (again >>> 16)
}

/** Characters of two bytes in UTF-8, which FTS5 neither splits at nor folds. */
const firstDigit = 0x80
const digits = 0x800 - firstDigit

export function codeText(code: number): string {
  return String.fromCharCode(
    firstDigit + Math.floor(code / digits ** 2),
    firstDigit + (Math.floor(code / digits) % digits),
    firstDigit + (code % digits),
  )
}

/** The text of a cell for FTS5. */
export function codesText(codes: ReadonlySet<number>): string {
  let text = ''
  for (const code of codes) text += `${codeText(code)} `
  return text
}

/** An FTS5 query for pieces with all codes. */
export function codesQuery(codes: Iterable<number>): string {
  return Array.from(codes, (code) => `"${codeText(code)}"`).join(' ')
}

/**
 * Encodes names for FTS5: a code for each run of three characters. A piece with all runs of a part
 * is a candidate; the text of the names decides.
 */
export function nameCodes(foldedNames: string): ReadonlySet<number> {
  const codes = new Set<number>()
  for (const name of foldedNames.split('\n')) {
    const ends = characterEnds(name)
    for (let at = runCharacters; at < ends.length; at += 1)
      codes.add(termCode(name, ends[at - runCharacters], ends[at]))
  }
  return codes
}

/** Where characters end, after 0 for the start: a character may have two code units. */
function characterEnds(text: string): readonly number[] {
  const ends = [0]
  for (let end = 0; end < text.length; ) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
    ends.push(end)
  }
  return ends
}

/** Codes of some runs of a part, spread over its length. */
export function partCodes(foldedPart: string): ReadonlySet<number> {
  const ends = characterEnds(foldedPart)
  const codeAt = (at: number) => termCode(foldedPart, ends[at], ends[at + runCharacters])
  const last = ends.length - 1 - runCharacters
  const step = Math.max(1, last / maxRuns)
  const codes = new Set([codeAt(last)])
  for (let at = 0; at < last; at += step) codes.add(codeAt(Math.floor(at)))
  return codes
}

/** A piece with the only run of a part contains the whole part. */
export function isOneRun(foldedPart: string): boolean {
  return Array.from(foldedPart).length === runCharacters
}

const runCharacters = 3

/** More runs leave hardly fewer candidates. */
const maxRuns = 12
