/** Words that say what a sentence is for, as patterns for a sentence in small letters. */
import { byFirstLetters } from './first-letters.ts'

export interface Cues {
  /** Sources of patterns, at the beginning. */
  readonly first?: readonly string[]
  readonly anywhere?: readonly string[]
  /** Of scripts without spaces. */
  readonly unspaced?: readonly string[]
}

export interface Cue extends Cues {
  readonly firstPattern: RegExp | null
  readonly anywherePattern: RegExp | null
  readonly unspacedPattern: RegExp | null
}

// Classes of Unicode make a pattern several times slower than ranges do.
const letter = '[a-z\\u00df-\\u024f\\u0400-\\u04ff]'
const inWord = 'a-z0-9_\\u00df-\\u024f\\u0400-\\u04ff'

export function cueOf(cues: Cues): Cue {
  const { first = [], anywhere = [], unspaced = [] } = cues
  return {
    ...cues,
    firstPattern: patternOf(first, (all) => `^[¿¡"“(]?(?:${all.join('|')})(?![${inWord}])`),
    anywherePattern: patternOf(anywhere, anywhereSource),
    unspacedPattern: patternOf(unspaced, (all) => all.join('|')),
  }
}

/** Found where any of theirs is that can stand anywhere. */
export function cueOfAny(cues: readonly Cue[]): RegExp {
  return new RegExp(withLetters(anywhereSource(cues.flatMap(({ anywhere = [] }) => anywhere))))
}

// The character before a word is a part of the match: to look back at it from each place of
// a sentence would take longer than all the rest.
function anywhereSource(sources: readonly string[]): string {
  return `(?:^|[^${inWord}])(?:${byFirstLetters(sources)})(?![${inWord}])`
}

function patternOf(
  sources: readonly string[],
  joined: (sources: readonly string[]) => string,
): RegExp | null {
  return sources.length === 0 ? null : new RegExp(withLetters(joined(sources)))
}

function withLetters(source: string): string {
  return source.replaceAll('\\p{L}', letter)
}
