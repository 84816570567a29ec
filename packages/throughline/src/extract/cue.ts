/** Cues: patterns that find, in a sentence in small letters, the words that say what it is for. */
import { cueWords } from './cue-words-data.ts'

export interface Cue {
  readonly first: RegExp | null
  readonly anywhere: RegExp | null
  /** Of scripts without spaces. */
  readonly unspaced: RegExp | null
}

interface CueSources {
  readonly first?: readonly string[]
  readonly anywhere?: readonly string[]
  readonly unspaced?: readonly string[]
}

// Classes of Unicode make a pattern several times slower than ranges do.
const letter = '[a-z\\u00df-\\u024f\\u0400-\\u04ff]'
const inWord = 'a-z0-9_\\u00df-\\u024f\\u0400-\\u04ff'

function cueFrom({ first = [], anywhere = [], unspaced = [] }: CueSources): Cue {
  return {
    first: patternOf(first, `^[¿¡"“(]?(?:${first.join('|')})(?![${inWord}])`),
    anywhere: patternOf(anywhere, anywhereSource(anywhere)),
    unspaced: patternOf(unspaced, unspaced.join('|')),
  }
}

// The character before a word is a part of the match: to look back at it from each place of
// a sentence would take longer than all the rest.
function anywhereSource(sources: readonly string[]): string {
  return `(?:^|[^${inWord}])(?:${sources.join('|')})(?![${inWord}])`
}

function patternOf(sources: readonly string[], source: string): RegExp | null {
  return sources.length === 0 ? null : new RegExp(source.replaceAll('\\p{L}', letter))
}

// Each cue has the name of its words.
export const cues = Object.fromEntries(
  Object.entries(cueWords).map(([name, words]) => [name, cueFrom(words)]),
) as Readonly<Record<keyof typeof cueWords, Cue>>

/** Finds any cue of a user that may be in the middle of a sentence: most sentences have none. */
export const anyUserCue: Cue = cueFrom({
  anywhere: [
    ...cueWords.correction.anywhere,
    ...cueWords.strongConstraint.anywhere,
    ...cueWords.preference.anywhere,
    ...cueWords.decision.anywhere,
    ...cueWords.statedRule.anywhere,
  ],
})
