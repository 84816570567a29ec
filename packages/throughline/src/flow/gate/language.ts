/** Recognises languages by function words. A draft may use any language of its sources. */
import { passageWords } from './draft-text.ts'
import { languages, scripts } from './draft-words-data.ts'
import type { SourceIndex } from './source-index.ts'

const minHits = 2
const minStrongShare = 0.6
const minSharedSmallWords = 0.5

export function isEnglishText(text: string): boolean {
  const { language, hits } = languageOf(text)
  return hits >= minHits && language === languages[0]
}

/** The sources have function words of another language than the text, and rather than its own. */
export function isOtherLanguage(text: string, index: SourceIndex): boolean {
  const { language, hits, words } = languageOf(text)
  if (hits < minHits) return false
  const ownShare = shareOf(language, index)
  const others = languages.filter((list) => list !== language).map((list) => shareOf(list, index))
  if (ownShare === 0 && others.every((other) => other === 0)) return !sharesSmallWords(words, index)
  return others.some((other) => other >= minStrongShare || other > ownShare)
}

/** Written neither in a language of the sources nor in that of the instructions. */
export function isWrongLanguage(text: string, prompt: string, index: SourceIndex): boolean {
  const script = mainScript(text)
  if (script !== null && script !== 'Latin')
    return !usesScript(script, [prompt, ...index.sources.map((source) => source.text)])
  const { language, hits } = languageOf(text)
  if (hits < minHitsToRefuse || language === languageOf(prompt).language) return false
  const isInSources = (list: readonly string[]) => shareOf(list, index) >= minSourceShare
  return !isInSources(language) && languages.some(isInSources)
}

const minHitsToRefuse = 3
/** With fewer of its function words, a language is not one of the sources'. */
const minSourceShare = 0.2

type Script = keyof typeof scripts

function mainScript(text: string): Script | null {
  const letters = countOf(/\p{L}/gu, text)
  for (const [script, pattern] of Object.entries(scripts))
    if (countOf(pattern, text) > letters / 2) return script as Script
  return null
}

function countOf(pattern: RegExp, text: string): number {
  return (text.match(pattern) ?? []).length
}

// A name or a quoted word does not count as use of a script.
const minLetters = 20

function usesScript(script: Script, texts: readonly string[]): boolean {
  let count = 0
  for (const text of texts) {
    count += countOf(scripts[script], text)
    if (count >= minLetters) return true
  }
  return false
}

/** Compares function words of all languages; without any, it checks for non-Latin letters. */
export function isEnglish(index: SourceIndex): boolean {
  const [english = 0, ...others] = languages.map((list) => shareOf(list, index))
  const highestOther = Math.max(...others)
  if (english > 0 || highestOther > 0) return english >= highestOther
  return index.sources.every(({ text }) => !/[^\P{L}\p{Script=Latin}]/u.test(text))
}

function shareOf(list: readonly string[], index: SourceIndex): number {
  return list.filter((word) => index.hasWord(word)).length / list.length
}

function languageOf(text: string) {
  const words: ReadonlySet<string> = new Set(passageWords(text))
  let language: readonly string[] = []
  let hits = 0
  for (const list of languages) {
    const found = list.filter((word) => words.has(word)).length
    if (found <= hits) continue
    language = list
    hits = found
  }
  return { language, hits, words }
}

function sharesSmallWords(words: ReadonlySet<string>, index: SourceIndex): boolean {
  const small = [...words].filter((word) => /^\p{L}{1,4}$/u.test(word))
  const known = small.filter((word) => index.hasWord(word)).length
  return small.length === 0 || known / small.length >= minSharedSmallWords
}
