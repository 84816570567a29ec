/**
 * Extracts search terms: folded words, parts of identifiers, English stems, pairs of letters in
 * scripts without spaces. Texts and queries get the same terms, in linear time.
 */
import { stemmer } from 'stemmer'
import { lazy } from '../domain/lazy.ts'
import { unspacedScripts } from './literals/literal-forms-data.ts'
import { courtesies, everydayWords, functionWords } from './stop-words-data.ts'

/** The search terms of a text, in its order, each as often as it occurs. See `searchedTerms`. */
export function termsOf(text: string): readonly string[] {
  const terms: string[] = []
  for (const [word] of folded(text).matchAll(wordPattern)) pushTerms(word, terms)
  return terms
}

/**
 * The terms that a query searches for: each once, without function words.
 *
 * @example
 * const wanted = new Set(searchedTerms('which port did we choose?'))
 * console.log(termsOf('The service listens on port 8443.').some((term) => wanted.has(term)))
 */
export function searchedTerms(text: string): readonly string[] {
  // Compared with their accents: without them, a function word is often another word.
  const contentTerms = termsOf(
    text.replace(wordPattern, (word) =>
      isFunctionWord(word.normalize('NFC').toLowerCase()) ? ' ' : word,
    ),
  )
  return [...new Set(contentTerms.length > 0 ? contentTerms : termsOf(text))].slice(0, maxSearched)
}

export function hasContentWords(text: string): boolean {
  return text.matchAll(wordPattern).some(([found]) => {
    const word = found.normalize('NFC').toLowerCase()
    return !isFunctionWord(word) && !courtesySet().has(word)
  })
}

/** The words of a text by their terms, as it spells them. */
export function wordsByTerm(text: string): ReadonlyMap<string, string> {
  const words = new Map<string, string>()
  for (const [word] of text.matchAll(wordPattern))
    for (const term of termsOf(word)) if (!words.has(term)) words.set(term, word)
  return words
}

/** A question that only the turn before explains, such as "and the other one?". */
export function isFollowUp(text: string): boolean {
  if (!/[?？؟]\s*$/u.test(text) || text.length > followUpCharacters) return false
  const words = Array.from(text.matchAll(wordPattern), ([word]) =>
    word.normalize('NFC').toLowerCase(),
  )
  if (words.some((word) => courtesySet().has(word))) return false
  const own = words.filter((word) => !isFunctionWord(word) && !isEverydayTerm(stemOf(word)))
  const isAbout = words[1] === 'about'
  // "And now?" only continues the work.
  if (own.length === 0) return isAbout || words.some((word) => referents.has(word))
  return own.length === 1 && (isAbout || conjunctions.has(words[0] ?? ''))
}

const followUpCharacters = 100
const conjunctions = new Set(
  'and or but also then und oder aber et ou mais y o pero e en maar и а'.split(' '),
)
const referents = new Set(['one', 'ones', 'other', 'others'])

// A longer query was pasted, and its first words show what it is about.
const maxSearched = 64

/** Removes accents; letters of other scripts stay whole. */
function folded(text: string): string {
  return asciiOnly.test(text)
    ? text
    : text
        .replace(stackedAccents, '$1')
        .normalize('NFKD')
        .replace(accents, '')
        .normalize('NFC')
        .toWellFormed()
}

const asciiOnly = /^[\x00-\x7f]*$/
// No language puts more accents on a letter, and sorting them takes quadratic time.
const stackedAccents = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu
const accents = /[\u0300-\u036f]/g
const wordPattern = /[\p{L}\p{N}\p{M}_]+/gu

function pushTerms(word: string, terms: string[]): void {
  if (plainWord.test(word)) pushWord(word.toLowerCase(), terms)
  else if (unspaced.test(word)) pushPairs(word, terms)
  else pushParts(word, terms)
}

function pushParts(word: string, terms: string[]): void {
  const parts = word.match(partPattern) ?? []
  pushWord(parts.join('').toLowerCase(), terms)
  if (parts.length > 1) for (const part of parts) pushWord(part.toLowerCase(), terms)
}

const plainWord = /^(?:[A-Z]?[a-z]+|[A-Z]+|[0-9]+)$/
/** `parseHTTPHeader2` is parse, HTTP, Header and 2. */
const partPattern =
  /[0-9]+|\p{Lu}+(?![\p{Ll}\p{M}])|\p{Lu}?[\p{Ll}\p{M}]+|[^\p{Lu}\p{Ll}_0-9]+|\p{Lu}+/gu

function pushWord(word: string, terms: string[]): void {
  // A single letter or digit matches too much.
  if (word.length < 2) return
  const short = word.slice(0, maxCharacters)
  terms.push(englishWord.test(short) ? stemOf(short) : short.toWellFormed())
}

function stemOf(word: string): string {
  const known = stems.get(word)
  if (known !== undefined) return known
  // All of them go at once: to keep the most used would cost more than to find them again.
  if (stems.size >= maxStems) stems.clear()
  const stem = newStemOf(word)
  stems.set(word, stem)
  return stem
}

/** A name must not become a word that is everywhere: `Andes` is not `and`. */
function newStemOf(word: string): string {
  const stem = stemmer(word)
  return stem !== word && (stem.length < 3 || isFunctionWord(stem)) ? word : stem
}

// Some thousand words are nearly all of any text.
const stems = new Map<string, string>()
const maxStems = 10_000

const maxCharacters = 64
const englishWord = /^[a-z]{3,}$/

function pushPairs(word: string, terms: string[]): void {
  for (const [run] of word.matchAll(runPattern)) {
    if (!unspaced.test(run)) {
      pushWord(run.toLowerCase(), terms)
      continue
    }
    const letters = [...run]
    if (letters.length === 1) terms.push(run)
    for (let index = 1; index < letters.length; index += 1)
      terms.push(`${letters[index - 1]}${letters[index]}`)
  }
}

const unspaced = new RegExp(`[${unspacedScripts}]`, 'u')
const runPattern = new RegExp(`[${unspacedScripts}\\p{M}]+|[^${unspacedScripts}_]+`, 'gu')

const courtesySet = lazy(() => setOf(courtesies))
const functionWordSet = lazy(() => setOf(functionWords))
const everydayStems = lazy(() => new Set(setOf(everydayWords).keys().map(stemmer)))

function setOf(lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')))
}

/** A word such as `the` that says nothing about the subject of a text. */
export function isFunctionWord(word: string): boolean {
  return functionWordSet().has(word)
}

/** A term of `termsOf` that any two conversations share. */
export function isEverydayTerm(term: string): boolean {
  return everydayStems().has(term)
}

/** Names in a text that people ask for by a part of them: paths, identifiers, hashes, versions. */
export function searchedNames(text: string): readonly string[] {
  const names = new Set<string>()
  let end = -1
  for (const { 0: found, index } of text.matchAll(candidates)) {
    const isContinued = index === end
    end = index + found.length
    // No user asks for a part of encoded data, which would fill the index.
    if (isContinued) continue
    const name = found.replace(edges, '')
    if (name.length < minCharacters || !looksMade.test(name)) continue
    names.add(name.slice(0, nameCharacters).toWellFormed())
    if (names.size === maxNames) break
  }
  return [...names]
}

// Bounded, so that only the start of a run of a megabyte is a name.
const candidates = /[\p{L}\p{N}_$@#./\\:~+-]{4,256}/gu
const edges = /^[./\\:~+#@-]+(?=[\p{L}\p{N}_$])|[./\\:~+#@-]+$/gu
/** Contains a sign, letters with digits, or capitals after small letters. */
const looksMade = /[_$@/\\]|\p{L}[.:]\p{L}|\p{L}\p{N}|\p{N}\p{L}|\p{Ll}\p{Lu}|\p{N}[.:-]\p{N}/u
const minCharacters = 4
const nameCharacters = 200
const maxNames = 100
