/** A text while secrets are looked for in it. */
import { type Alphabet, others, words } from './alphabet.ts'
import { type LongRun, longRunsOf } from './long-runs.ts'

export interface ScannedText {
  readonly text: string
  /** Where the run of these characters ends that goes on at a place. */
  readonly runEnd: (members: Alphabet, from: number) => number
  /** Where it can hold a secret that is told by its form; most texts have none. */
  readonly longRuns: readonly LongRun[]
}

/**
 * The end of the last run of each alphabet is remembered: a text of nothing but prefixes
 * asks for the same end again and again, and each answer would be a walk of its own.
 */
export function scannedText(text: string): ScannedText {
  let known: Map<Alphabet, LongRun> | null = null
  const runEnd = (members: Alphabet, from: number): number => {
    known ??= new Map()
    const last = known.get(members)
    if (last !== undefined && from >= last.from && from < last.to) return last.to
    let to = from
    while (to < text.length && members[Math.min(text.charCodeAt(to), others)] === 1) to += 1
    if (to > from) known.set(members, { from, to })
    return to
  }
  return { text, runEnd, longRuns: longRunsOf(text) }
}

// Asked at almost every character: a name of this file is found faster than one of another.
const wordText: Alphabet = words

/**
 * Whether a word can begin here. What stands before it must not be a part of a word,
 * unless it is the end of an escape: `\n` in JSON, `%3D` in an address.
 */
export function beginsWord(text: string, at: number): boolean {
  if (at === 0 || wordText[text.charCodeAt(at - 1)] !== 1) return true
  if (text.charCodeAt(at - 2) === backslash) return 'nrt'.includes(text[at - 1] ?? ' ')
  return text.charCodeAt(at - 3) === percent && /^[0-9A-Fa-f]{2}$/.test(text.slice(at - 2, at))
}

const [backslash, percent] = ['\\'.charCodeAt(0), '%'.charCodeAt(0)]

export function endsWord(text: string, at: number): boolean {
  return at >= text.length || wordText[text.charCodeAt(at)] !== 1
}
