/**
 * Numbers for terms and for runs of three characters of names, mixed with the number of their
 * conversation: one index has all conversations, and finds the pieces of one. A number does not
 * reveal the text, so that a purged term cannot be read from old pages of an index.
 */

/** Not cryptographic: a wrong hit would help an attacker little. */
function codeOf(pk: number, text: string, from: number, to: number): number {
  let low = 0x811c9dc5 ^ (pk % 0x1_0000_0000)
  let high = 0x1b873593 ^ Math.floor(pk / 0x1_0000_0000)
  low = mixed(low)
  high = mixed(high ^ low)
  for (let index = from; index < to; index += 1) {
    const unit = text.charCodeAt(index)
    low = Math.imul(low ^ unit, 0x01000193)
    high = Math.imul(high ^ unit, 0x85ebca6b)
  }
  // Mixes the halves; otherwise short texts would differ in a few bits only.
  low = mixed(low ^ (high >>> 15))
  high = mixed(high ^ low)
  return (high >>> highBits) * 0x1_0000_0000 + (low >>> 0)
}

/** 52 bits in all: every code is an exact number. */
const highBits = 12

function mixed(half: number): number {
  const spread = Math.imul(half ^ (half >>> 16), 0x85ebca6b)
  const again = Math.imul(spread ^ (spread >>> 13), 0xc2b2ae35)
  return again ^ (again >>> 16)
}

/** A run of a name and a term with the same text have different codes. */
export function termCode(pk: number, term: string): number {
  return codeOf(pk, `=${term}`, 0, term.length + 1)
}

/** A code for each run of three characters. */
export function nameCodes(pk: number, foldedNames: string): ReadonlySet<number> {
  return new Set(
    foldedNames.split('\n').flatMap((name) => runsOf(name).map((run) => termCode(pk, `~${run}`))),
  )
}

/** Codes of some runs of a part, spread over its length: a piece with all of them is a candidate. */
export function partCodes(pk: number, foldedPart: string): readonly number[] {
  const runs = runsOf(foldedPart)
  const step = Math.max(1, runs.length / maxRuns)
  const codes = new Set([termCode(pk, `~${runs.at(-1)}`)])
  for (let at = 0; at < runs.length; at += step) codes.add(termCode(pk, `~${runs[Math.floor(at)]}`))
  return [...codes]
}

/** More runs leave hardly fewer candidates. */
const maxRuns = 12

const runCharacters = 3

function runsOf(text: string): readonly string[] {
  const characters = Array.from(text)
  const count = Math.max(0, characters.length - runCharacters + 1)
  return Array.from({ length: count }, (_, at) => characters.slice(at, at + runCharacters).join(''))
}
