/**
 * A text while it is searched for secrets. Finders read runs of characters once, instead of using
 * patterns that backtrack.
 */
import type { TextRange } from '../text-cuts.ts'

/** The position and the kind of a secret. */
export interface Finding extends TextRange {
  readonly kind: string
  /** Recognised by its own form, or only by its place. */
  readonly by: 'form' | 'place'
}

/** In the order of the text; those of one finder do not overlap. */
export type Finder = (scanned: ScannedText) => Iterable<Finding>

/** One flag for each ASCII character, and a last one for all other characters. */
export type Alphabet = Uint8Array

const beyondAscii = 128

/** Takes characters and ranges such as `a-z`; a literal hyphen comes first. */
export function alphabet(members: string): Alphabet {
  const flags = new Uint8Array(beyondAscii + 1)
  for (let at = 0; at < members.length; at += 1) {
    const first = members.charCodeAt(at)
    const isRange = members[at + 1] === '-' && at + 2 < members.length
    flags.fill(1, first, (isRange ? members.charCodeAt(at + 2) : first) + 1)
    if (isRange) at += 2
  }
  return flags
}

export function except(members: string): Alphabet {
  return alphabet(members).map((flag) => 1 - flag)
}

export const alphabets = {
  lowerHex: alphabet('0-9a-f'),
  hex: alphabet('0-9a-fA-F'),
  capitals: alphabet('A-Z0-9'),
  letters: alphabet('A-Za-z0-9'),
  words: alphabet('A-Za-z0-9_'),
  names: alphabet('-A-Za-z0-9_'),
  dotted: alphabet('-A-Za-z0-9_.'),
  base64: alphabet('A-Za-z0-9+/='),
  credentials: alphabet('-A-Za-z0-9_.~+/='),
} as const

export type AlphabetName = keyof typeof alphabets

export interface ScannedText {
  readonly text: string
  /** The first index from `from` on whose character is not in the alphabet. */
  readonly runEnd: (members: Alphabet, from: number) => number
}

/**
 * Caches the last end for each alphabet: a text of many prefixes asks for the same end again and
 * again.
 */
export function scannedText(text: string): ScannedText {
  // Created at the first run: most texts have none.
  let lastRuns: Map<Alphabet, TextRange> | null = null
  const runEnd = (members: Alphabet, from: number): number => {
    lastRuns ??= new Map()
    const last = lastRuns.get(members)
    if (last !== undefined && from >= last.from && from < last.to) return last.to
    let to = from
    while (to < text.length && members[Math.min(text.charCodeAt(to), beyondAscii)] === 1) to += 1
    if (to > from) lastRuns.set(members, { from, to })
    return to
  }
  return { text, runEnd }
}

const { words } = alphabets

/** True also after an escape that ends with a letter: `\n` in JSON, `%3D` in an address. */
export function beginsWord(text: string, at: number): boolean {
  if (at === 0 || words[text.charCodeAt(at - 1)] !== 1) return true
  if (text[at - 2] === '\\') return 'nrt'.includes(text[at - 1] ?? ' ')
  return text[at - 3] === '%' && /^[0-9A-Fa-f]{2}$/.test(text.slice(at - 2, at))
}

export function endsWord(text: string, at: number): boolean {
  return at >= text.length || words[text.charCodeAt(at)] !== 1
}

/** A full stop after a secret ends the sentence, not the secret. */
export function withoutStop(text: string, { from, to }: TextRange, stops: string): number {
  return to - 1 > from && stops.includes(text[to - 1] ?? ' ') ? to - 1 : to
}
