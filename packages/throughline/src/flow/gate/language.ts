/**
 * Whether a draft and its sources are in one language, by the small words that every page of a
 * language has. Where the sources are in several, the draft may be in either of them, and what
 * it has from the other cannot be told by words.
 */

import { passageWords } from './passages.ts'
import type { SourceIndex } from './source-index.ts'

const strong = 0.6
const leastHits = 2
const sharedSmallWords = 0.5

export function isSameLanguage(text: string, index: SourceIndex): boolean {
  const words = new Set(passageWords(text))
  const [language, hits] = languageOf(words)
  if (hits < leastHits) return sharesSmallWords(words, index)
  const ours = shareOf(language, index)
  const others = languages.filter((list) => list !== language).map((list) => shareOf(list, index))
  if (ours === 0 && others.every((other) => other === 0)) return sharesSmallWords(words, index)
  return others.every((other) => other < strong && other <= ours)
}

/** Whether the sources have more of its small words than of any other's; of none, by their letters. */
export function isEnglish(index: SourceIndex): boolean {
  const [ours = 0, ...others] = languages.map((list) => shareOf(list, index))
  const most = Math.max(...others)
  if (ours > 0 || most > 0) return ours >= most
  return index.sources.every(({ text }) => !/[^\P{L}\p{Script=Latin}]/u.test(text))
}

function shareOf(list: readonly string[], index: SourceIndex): number {
  return list.filter((word) => index.hasWord(word)).length / list.length
}

function languageOf(words: ReadonlySet<string>): readonly [readonly string[], number] {
  let best: readonly [readonly string[], number] = [[], 0]
  for (const list of languages) {
    const hits = list.filter((word) => words.has(word)).length
    if (hits > best[1]) best = [list, hits]
  }
  return best
}

/** Of three letters and more: shorter ones are names of variables too. */
const languages: readonly (readonly string[])[] = [
  'the and was that for with are this not have from but they has were will'.split(' '),
  'und der die das nicht ist ein eine mit auf für von wurde den dem auch'.split(' '),
  'les des est une dans pour que pas avec sur qui sont été cette mais aux'.split(' '),
  'que los las por para una del como pero más este con fue está sus'.split(' '),
  'che per una non con sono della nel alla gli più anche del stato'.split(' '),
  'que não uma para com dos foi mas como mais seu sua pelo está são'.split(' '),
  'het een van niet met voor zijn dat die aan ook worden heeft naar'.split(' '),
  'что это для как его при или уже был была были было она они'.split(' '),
]

function sharesSmallWords(words: ReadonlySet<string>, index: SourceIndex): boolean {
  const small = [...words].filter((word) => /^\p{L}{1,4}$/u.test(word))
  const known = small.filter((word) => index.hasWord(word)).length
  return small.length === 0 || known / small.length >= sharedSmallWords
}
