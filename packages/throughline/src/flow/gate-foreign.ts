/**
 * Whether a draft speaks of something else than the sources: an answer that belongs to another
 * request. It is told by words and names, of which a summary has most from what it sums up. In
 * another language than the sources' its words say nothing, so only its names count then.
 */
import { identifiersOf } from '../extract/identifiers.ts'
import type { SourceIndex } from './gate-index.ts'

const fewNames = 4
const fewWords = 8
const namesOfOurs = 0.34
const wordsWithNames = 0.75
const wordsOfOurs = 0.5
const sameLanguage = 0.5

export function isForeign(text: string, index: SourceIndex): boolean {
  const words = distinct(text.match(/\p{L}{5,40}/gu) ?? [])
  const names = distinct(namesIn(text))
  const known = shareOf(words, (word) => index.hasWord(word))
  const knownNames = shareOf(names, (name) => isKnownName(name, index))
  if (names.length >= fewNames && knownNames < namesOfOurs && known < wordsWithNames) return true
  if (words.length < fewWords || !isSameLanguage(text, index)) return false
  return known < wordsOfOurs && (names.length < fewNames || knownNames < wordsOfOurs)
}

function namesIn(text: string): readonly string[] {
  return identifiersOf(text).flatMap(({ kind, text: name }) => (telling.has(kind) ? [name] : []))
}

const telling: ReadonlySet<string> = new Set(
  'url email uuid path file version hash id host symbol number name'.split(' '),
)

/** By most of the words in it: a name is written with other marks, and in other orders. */
function isKnownName(name: string, index: SourceIndex): boolean {
  const words = name.match(/[\p{L}\p{N}]{2,80}/gu) ?? []
  return (
    words.length > 0 &&
    shareOf(words, (word) => index.hasWord(word) || index.hasWord(word.toLowerCase())) > wordsOfOurs
  )
}

/** By the small words, which every sentence of a language has. */
function isSameLanguage(text: string, index: SourceIndex): boolean {
  const small = distinct(text.match(/(?<!\p{L})\p{L}{2,4}(?!\p{L})/gu) ?? [])
  return small.length === 0 || shareOf(small, (word) => index.hasWord(word)) >= sameLanguage
}

function distinct(words: readonly string[]): readonly string[] {
  return [...new Set(words.map((word) => word.toLowerCase()))]
}

function shareOf(words: readonly string[], isKnown: (word: string) => boolean): number {
  return words.length === 0 ? 0 : words.filter(isKnown).length / words.length
}
