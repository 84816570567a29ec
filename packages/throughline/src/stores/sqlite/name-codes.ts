/**
 * Names as FTS5 gets them: a code for each run of three characters. What holds all runs of a part
 * is a candidate; the text of the names decides.
 */
import { termCode } from './term-codes.ts'

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

/** One run: who has it has the whole part. */
export function isOneRun(foldedPart: string): boolean {
  return Array.from(foldedPart).length === runLength
}

const runLength = 3

/** More of them leave hardly fewer candidates. */
const mostRuns = 12

function codeAt(characters: readonly string[], at: number): number {
  return termCode(characters.slice(at, at + runLength).join(''))
}
