/**
 * Whether a draft speaks of something else than the sources: an answer that belongs to another
 * request. It is told by words and names, of which a summary has most from what it sums up. In
 * another language than theirs its words say nothing, nor do capitals; then what is written
 * alike in all languages counts alone.
 */
import { identifiersOf } from '../../extract/identifiers.ts'
import { isSameLanguage } from './language.ts'
import { passageWords } from './passages.ts'
import type { SourceIndex } from './source-index.ts'

const fewNames = 3
const fewExact = 2
const fewWords = 8
const namesOfOurs = 0.34
const wordsWithNames = 0.75
const wordsAlone = 0.45
const wordsOfOurs = 0.5

export function isForeign(text: string, index: SourceIndex): boolean {
  const isSame = isSameLanguage(text, index)
  const names = namesIn(text, isSame)
  const knownNames = shareOf(names, (name) => isKnownName(name, index))
  const isNamed = names.length >= fewNames
  if (!isSame) return isNamed && knownNames < namesOfOurs
  // Two things that are written so and in no other way are no accident.
  const exact = namesIn(text, false)
  if (exact.length >= fewExact && exact.every((name) => standsThere(name, index))) return false
  const words = distinct(passageWords(text).filter((word) => /^\p{L}{5,40}$/u.test(word)))
  const known = shareOf(words, (word) => index.hasStem(word))
  if (isNamed && knownNames < namesOfOurs && known < wordsWithNames) return true
  return words.length >= fewWords && known < wordsAlone && (!isNamed || knownNames < wordsOfOurs)
}

function namesIn(text: string, withNames: boolean): readonly string[] {
  return distinct(
    identifiersOf(text).flatMap(({ kind, text: name }) =>
      telling.has(kind) || (withNames && kind === 'name') ? [name] : [],
    ),
  )
}

const telling: ReadonlySet<string> = new Set(
  'url email uuid path file version hash id host symbol number'.split(' '),
)

function standsThere(name: string, index: SourceIndex): boolean {
  const words = passageWords(name)
  return words.length > 0 && words.every((word) => index.hasWord(word))
}

/** By most of the words in it: a name is written with other marks, and in other orders. */
function isKnownName(name: string, index: SourceIndex): boolean {
  const words = passageWords(name).filter((word) => word.length > 1)
  const joined = name.replace(/\D/g, '')
  if (words.length === 0 || index.hasWord(joined)) return true
  return shareOf(words, (word) => index.hasWord(word)) > wordsOfOurs
}

function distinct(words: readonly string[]): readonly string[] {
  return [...new Set(words.map((word) => word.toLowerCase()))]
}

function shareOf(words: readonly string[], isKnown: (word: string) => boolean): number {
  return words.length === 0 ? 0 : words.filter(isKnown).length / words.length
}
