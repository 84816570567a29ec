/**
 * The long runs of the characters that secrets are written with. Words are shorter than any
 * secret, so a text of words is passed over in steps of that length.
 */
import { credentials, others } from './alphabet.ts'

export interface LongRun {
  readonly from: number
  readonly to: number
}

/** A mark and what belongs behind it are never shorter together. */
export const longRunCharacters = 20

export function longRunsOf(text: string): readonly LongRun[] {
  let found: LongRun[] | null = null
  let from = 0
  while (from + longRunCharacters <= text.length) {
    // From the end backwards: where that is no part of a run, nothing before it is of a long one.
    let at = from + longRunCharacters - 1
    while (at >= from && isMember(text.charCodeAt(at))) at -= 1
    if (at >= from) {
      from = at + 1
      continue
    }
    let to = from + longRunCharacters
    while (to < text.length && isMember(text.charCodeAt(to))) to += 1
    found ??= []
    found.push({ from, to })
    from = to + 1
  }
  return found ?? none
}

const none: readonly LongRun[] = []

// A name of this file is found faster than one of another.
const members = credentials

function isMember(code: number): boolean {
  return code < others && members[code] === 1
}
