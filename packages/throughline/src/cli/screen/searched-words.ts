/**
 * The words that somebody searches for, found again in what is shown: read as the search reads them,
 * so that a line is marked for the same reason for which it was found.
 */
import { searchedTerms, termsOf } from '../../extract/terms.ts'

export interface SearchedWords {
  /** Which of them stand in a text. */
  in(text: string): ReadonlySet<string>
  /** The text with each of them painted. */
  marked(text: string, paint: (word: string) => string): string
}

export function searchedWords(query: string): SearchedWords {
  const wanted = new Set(searchedTerms(query))
  const found = (text: string) => new Set(termsOf(text).filter((term) => wanted.has(term)))
  return {
    in: found,
    marked: (text, paint) =>
      text.replace(/[\p{L}\p{N}\p{M}_]+/gu, (word) => (found(word).size > 0 ? paint(word) : word)),
  }
}

/** What each of several texts has of the words, the more for a word the fewer of them have it. */
export function worths(found: readonly ReadonlySet<string>[]): readonly number[] {
  const holders = new Map<string, number>()
  for (const words of found)
    for (const word of words) holders.set(word, (holders.get(word) ?? 0) + 1)
  const worthOf = (word: string) => Math.log(1 + found.length / (holders.get(word) ?? 1))
  return found.map((words) => [...words].reduce((sum, word) => sum + worthOf(word), 0))
}
