/** Recognises languages by function words. A draft may use any language of its sources. */
import { passageWords } from './draft-text.ts'
import { languages, scripts } from './draft-words-data.ts'
import type { SourceIndex } from './source-index.ts'

const strong = 0.6
const leastHits = 2
const sharedSmallWords = 0.5

export function isEnglishText(text: string): boolean {
  const { language, hits } = languageOf(text)
  return hits >= leastHits && language === languages[0]
}

export function isOtherLanguage(text: string, index: SourceIndex): boolean {
  const { language, hits, words } = languageOf(text)
  if (hits < leastHits) return false
  const ours = shareOf(language, index)
  const others = languages.filter((list) => list !== language).map((list) => shareOf(list, index))
  if (ours === 0 && others.every((other) => other === 0)) return !sharesSmallWords(words, index)
  return others.some((other) => other >= strong || other > ours)
}

/** Neither a language of the sources nor that of the instructions. */
export function isWrongLanguage(text: string, prompt: string, index: SourceIndex): boolean {
  const script = mainScript(text)
  if (script !== null && script !== 'Latin')
    return !usesScript(script, [prompt, ...index.sources.map((source) => source.text)])
  const { language, hits } = languageOf(text)
  if (hits < fewHits || language === languageOf(prompt).language) return false
  const others = languages.filter((list) => list !== language)
  return (
    shareOf(language, index) < foreignShare &&
    others.some((list) => shareOf(list, index) >= leastShare)
  )
}

const fewHits = 3
const foreignShare = 0.2
const leastShare = 0.2

type Script = keyof typeof scripts

function mainScript(text: string): Script | null {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  for (const [script, pattern] of Object.entries(scripts))
    if ((text.match(pattern)?.length ?? 0) > letters / 2) return script as Script
  return null
}

// A name or a quoted word does not count as use of a script.
const usedLetters = 20

function usesScript(script: Script, texts: readonly string[]): boolean {
  let count = 0
  for (const text of texts) {
    count += text.match(scripts[script])?.length ?? 0
    if (count >= usedLetters) return true
  }
  return false
}

/** Compares function words of all languages; without any, it checks for non-Latin letters. */
export function isEnglish(index: SourceIndex): boolean {
  const [ours = 0, ...others] = languages.map((list) => shareOf(list, index))
  const most = Math.max(...others)
  if (ours > 0 || most > 0) return ours >= most
  return index.sources.every(({ text }) => !/[^\P{L}\p{Script=Latin}]/u.test(text))
}

function shareOf(list: readonly string[], index: SourceIndex): number {
  return list.filter((word) => index.hasWord(word)).length / list.length
}

function languageOf(text: string) {
  const words: ReadonlySet<string> = new Set(passageWords(text))
  let [language, hits]: [readonly string[], number] = [[], 0]
  for (const list of languages) {
    const found = list.filter((word) => words.has(word)).length
    if (found > hits) [language, hits] = [list, found]
  }
  return { language, hits, words }
}

function sharesSmallWords(words: ReadonlySet<string>, index: SourceIndex): boolean {
  const small = [...words].filter((word) => /^\p{L}{1,4}$/u.test(word))
  const known = small.filter((word) => index.hasWord(word)).length
  return small.length === 0 || known / small.length >= sharedSmallWords
}
