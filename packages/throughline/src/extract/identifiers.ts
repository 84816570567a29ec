/**
 * What a text names exactly: files, symbols, numbers, dates, addresses, people. A summary
 * that changes one of these has changed what was said, so they are what is carried over and
 * held against the source.
 *
 * A text is cut once into runs without a space, and each run is read by its form alone; what
 * has several words (dates, amounts, names, what stands in quotes) is found beside that. No
 * list of known words is asked. The time is linear in the text.
 */
import { findCalls } from './identifiers/find-calls.ts'
import { findNames } from './identifiers/find-names.ts'
import { findPhrases } from './identifiers/find-phrases.ts'
import { findQuoted } from './identifiers/find-quoted.ts'
import { findWords } from './identifiers/find-words.ts'
import type { Identifier } from './identifiers/identifier.ts'
import { resolved } from './identifiers/resolve.ts'

export type { Identifier } from './identifiers/identifier.ts'

/**
 * In the order of the text; none overlaps another.
 *
 * For example:
 * identifiersOf('see src/a.ts:12:3')
 * // [{ text: 'src/a.ts', kind: 'path', at: 4, line: 12 }]
 */
export function identifiersOf(text: string): readonly Identifier[] {
  return resolved([
    ...findWords(text),
    ...findCalls(text),
    ...findPhrases(text),
    ...findQuoted(text),
    ...findNames(text),
  ])
}
