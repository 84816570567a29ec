/**
 * Checks the names and numbers of a sentence against its sources. A difference in case or accents
 * is corrected; an unknown name or number is a reason to refuse the sentence.
 */
import { quotedLiterals } from '../../extract/literals/phrase-literals.ts'
import type { SourceIndex } from '../../flow/gate/source-index.ts'
import { limits } from '../limits-data.ts'
import { englishNumbersIn } from './english-numbers.ts'
import { numberWords, scriptsOfLanguages } from './words-data.ts'

interface ExactSources {
  readonly spelling: KnownSpelling
  readonly index: SourceIndex
  readonly numbers: ReadonlySet<string>
}

export function checkNames(sentence: string, sources: ExactSources) {
  const { spelling, index } = sources
  const unknown: string[] = []
  const spelled: Spelled[] = []
  for (const named of [...quotedIn(sentence), ...capitalisedIn(sentence, spelling, index)]) {
    const to = spelling.of(named.text)
    if (to === null) unknown.push(named.text)
    else if (to !== named.text) spelled.push({ ...named, to })
  }
  for (const number of unknownNumbers(sentence, sources)) unknown.push(number)
  if (unknown.length > 0) return { kind: 'unknown', names: [...new Set(unknown)] } as const
  return { kind: 'ok', text: respelled(sentence, spelled) } as const
}

function unknownNumbers(sentence: string, { numbers, index }: ExactSources): readonly string[] {
  const inDigits = numbersIn(sentence).filter((number) => !isKnownNumber(number, numbers))
  const inWords = (sentence.toLowerCase().match(numbersInWords) ?? []).filter(
    (word) => !numbers.has(digitsOfWord.get(word) ?? word) && !index.hasWord(word),
  )
  return [...inDigits, ...inWords]
}

function isKnownNumber(number: string, numbers: ReadonlySet<string>): boolean {
  if (numbers.has(number)) return true
  const ends = number.split('-')
  return ends.length === 2 && ends.every((end) => numbers.has(end))
}

interface Named {
  readonly text: string
  readonly at: number
}

interface Spelled extends Named {
  readonly to: string
}

function respelled(sentence: string, spelled: readonly Spelled[]): string {
  let text = sentence
  // A name inside another is corrected together with it.
  for (const { at, text: from, to } of spelled.toSorted((one, other) => other.at - one.at))
    if (text.startsWith(from, at)) text = text.slice(0, at) + to + text.slice(at + from.length)
  return text
}

function quotedIn(sentence: string): readonly Named[] {
  const quoted = Array.from(sentence.matchAll(quotes), ({ 0: whole, index }) => {
    const text = whole
      .slice(1, -1)
      .trim()
      .replace(/[.,!?…]+$/, '')
    return { text, at: index + whole.indexOf(text) }
  })
  return [...quoted, ...quotedLiterals(sentence).map(({ text, at }) => ({ text, at }))]
}

const quotes = /《[^《》]+》|["“„«][^"“”„«»]+["”“»]|\[[^[\]]+\]/g

const word = "[\\p{L}\\p{M}\\p{N}]*(?:['’-]\\p{L}[\\p{L}\\p{M}\\p{N}]*)*"
const run = new RegExp(`(?<![\\p{L}\\p{M}\\p{N}_])\\p{Lu}${word}(?: \\p{Lu}${word})*`, 'gu')

/** Adjacent capitalised words form one name, which a source must contain as a whole. */
function capitalisedIn(
  sentence: string,
  spelling: KnownSpelling,
  index: SourceIndex,
): readonly Named[] {
  const isGerman = (sentence.match(germanWords)?.length ?? 0) >= limits.minGermanWords
  return Array.from(sentence.matchAll(run), ({ 0: text, index: at }) => {
    const startsSentence = at === 0 || sentenceStart.test(sentence.slice(Math.max(0, at - 6), at))
    const isWhole = !startsSentence || spelling.of(text) !== null
    const named = withoutFrame(isWhole ? { text, at } : withoutFirst(text, at))
    const isKnown = named.text === '' || spelling.of(named.text) !== null
    return isKnown ? named : withoutPossessive(named)
  }).filter(({ text }) => {
    if (text === '' || plainCapitals.has(text) || isLanguageOf(text, index)) return false
    return text.includes(' ') || !(isGerman || isKnownWord(text, index))
  })
}

/** German capitalises every noun, so a capital does not mark a name. */
const germanWords =
  /(?<!\p{L})(?:der|die|das|und|ein|eine|einen|mit|für|von|dem|den|wurden?|hat|nicht|zum|zur|im|auf)(?!\p{L})/giu

/** A full stop ends a sentence after a word, not after an initial. */
const sentenceStart = /[;；。！？]\s?$|[\p{Ll}\p{N}]{2}[.!?]["'”’)]{0,2}\s$/u

/** The first word of a sentence always has a capital. */
function withoutFirst(text: string, at: number): Named {
  const space = text.indexOf(' ')
  return space < 0 ? { text: '', at } : { text: text.slice(space + 1), at: at + space + 1 }
}

/** `Ines's`, where the sources say `Ines`. */
function withoutPossessive({ text, at }: Named): Named {
  return { text: text.replace(/['’]s$/, ''), at }
}

/** Sources do not contain the words for the speakers. */
function withoutFrame({ text, at }: Named): Named {
  const opened = /^(?:(?:User|Assistant|AI)(?: |$))+/.exec(text)?.[0].length ?? 0
  const rest = text.slice(opened).replace(/(?: (?:User|Assistant|AI))+$/, '')
  return { text: rest, at: at + opened }
}

const plainCapitals: ReadonlySet<string> = new Set('A I AI API ID IDs OK UI URL URLs'.split(' '))

/** The script of a source shows its language, also if no source names it. */
function isLanguageOf(name: string, { sources }: SourceIndex): boolean {
  const script = scriptsOfLanguages[name]
  return script !== undefined && sources.some(({ text }) => script.test(text))
}

function isKnownWord(name: string, index: SourceIndex): boolean {
  const small = name.toLowerCase()
  return index.hasWord(small) || index.hasStem(small)
}

/** Numbers for comparison, without group separators. */
export function numbersIn(text: string): readonly string[] {
  return Array.from(text.normalize('NFKC').matchAll(digits), ([found]) =>
    found.replaceAll(/[.,'’](?=\p{Nd}{3}(?!\p{Nd}))/gu, '').replaceAll(',', '.'),
  )
}

/** Numbers that a text spells out, in digits: transcripts of speech have few others. */
export function spelledNumbersIn(text: string): readonly string[] {
  const words = (text.toLowerCase().match(numbersInWords) ?? []).flatMap(
    (word) => digitsOfWord.get(word) ?? [],
  )
  return [...words, ...englishNumbersIn(text)]
}

const digits = /\p{Nd}+(?:[.,'’:/-]\p{Nd}+)*/gu

const digitsOfWord: ReadonlyMap<string, string> = new Map(
  Object.entries(numberWords).flatMap(([number, words]) =>
    words.split(' ').map((word) => [word, number] as const),
  ),
)

/** A Chinese numeral counts only before a measure word, because many words start with one. */
const numbersInWords = new RegExp(
  [
    `(?<!\\p{L})(?:${[...digitsOfWord.keys()].filter((word) => word.length > 1).join('|')})(?!\\p{L})`,
    `[两兩三四五六七八九十](?=[个個份种種道件项項条條つ品])`,
  ].join('|'),
  'gu',
)

/** Finds how the sources spell a name, ignoring case, accents and punctuation. */
export class KnownSpelling {
  readonly #sources: readonly string[]
  #folded: readonly string[] | null = null

  constructor(sources: readonly string[]) {
    this.#sources = sources
  }

  of(name: string): string | null {
    if (this.#sources.some((source) => hasWholeWord(source, name))) return name
    const wanted = folded(name)
    if (wanted.trim() === '') return name
    this.#folded ??= this.#sources.map(folded)
    for (const [index, text] of this.#folded.entries()) {
      const at = text.indexOf(wanted)
      if (at >= 0) {
        const spelled = spelledAt(this.#sources[index] ?? '', text.slice(0, at), wanted)
        return separating.test(spelled) ? name : spelled
      }
      // In scripts without spaces, a name can be a part of one run of letters.
      if (unspaced.test(wanted) && text.includes(wanted.trim())) return name
    }
    return null
  }
}

const unspaced = /[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]/

/** Whether the source has exactly this name, and not as a part of a longer word. */
export function hasWholeWord(source: string, name: string): boolean {
  for (let at = source.indexOf(name); at >= 0; at = source.indexOf(name, at + 1)) {
    const isWide = unspaced.test(name)
    const before = source.slice(Math.max(0, at - 2), at)
    const after = source.slice(at + name.length, at + name.length + 2)
    if (isWide || (!/[\p{L}\p{N}]$/u.test(before) && !/^[\p{L}\p{N}\p{M}]/u.test(after)))
      return true
  }
  return false
}

function folded(text: string): string {
  return ` ${(text.match(wordRuns) ?? []).map(foldedWord).join(' ')} `
}

const wordRuns = /[\p{L}\p{N}\p{M}]+/gu

function foldedWord(word: string): string {
  if (plain.test(word)) return word.toLowerCase()
  return word
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase()
}

const plain = /^[A-Za-z0-9]+$/

function spelledAt(source: string, before: string, wanted: string): string {
  const first = before.split(' ').length - 1
  const count = wanted.trim().split(' ').length
  const found = [...source.matchAll(wordRuns)].slice(first, first + count)
  const from = found[0]?.index ?? 0
  const last = found.at(-1)
  return source.slice(from, (last?.index ?? 0) + (last?.[0].length ?? 0))
}

// Two names, not one: the sentence keeps its own spelling (`July Munich` for `July: Munich`).
const separating = /[.,:;!?\n]/

/** The names in a complete answer: bold, list items and quotes. Prompts show only its start. */
export function namesIn(text: string): readonly string[] {
  const lines = proseLines(text)
  const names = new Set<string>()
  const addNames = (found: Iterable<string>) => {
    for (const name of found) {
      if (names.size >= limits.maxNames) return
      const bare = bareName(name)
      if (isName(bare)) names.add(bare)
    }
  }
  for (const line of lines) if (line.includes('**')) addNames(boldIn(line))
  for (const line of lines) addNames(itemIn(line))
  if (names.size < limits.maxNames)
    addNames(quotedLiterals(lines.join('\n')).map((quoted) => quoted.text))
  return [...names]
}

function proseLines(text: string): readonly string[] {
  let isCode = false
  return text.split('\n').filter((line) => {
    if (line.length < shortestLine) return false
    const isFence = /^\s{0,20}(?:```|~~~)/.test(line)
    if (isFence) isCode = !isCode
    return !isCode && !isFence
  })
}

const shortestLine = 3

function* boldIn(line: string): Iterable<string> {
  for (const [, bold = ''] of line.matchAll(/\*\*([^*\n]{2,100})\*\*/g)) yield bold
}

/** A list item that is a name, or starts with a name and its description. */
function* itemIn(line: string): Iterable<string> {
  const item = /^\s{0,20}(?:[-*+•–]|\d{1,3}[.)])\s{1,9}(?:\[[ xX]\] )?([^*"“„«「『].{1,199})/.exec(
    line,
  )?.[1]
  if (item !== undefined) yield item.split(/:\s|：| [-–—] | \(|（/, 1)[0] ?? ''
}

function bareName(name: string): string {
  return name
    .trim()
    .replace(/[:：,，]$/, '')
    .toWellFormed()
}

function isName(text: string): boolean {
  return (
    text.length >= 2 &&
    text.length <= limits.nameCharacters &&
    (/^[\p{Lu}\p{Lt}\p{Lo}\d]/u.test(text) || /\p{Ll}[\p{Lu}\d_./-]/u.test(text)) &&
    /\p{L}/u.test(text) &&
    !/[.!?;] |[.!?;:。！？]$/u.test(text) &&
    !plainItem.test(text) &&
    text.split(/\s+/).length <= limits.nameWords
  )
}

/** The start of a sentence, an amount or a label, as `The same mixer`, `Refund of £9` or `Caveat`. */
const plainItem =
  /^(?:An?|The|This|That|These|No|One|\p{N}+) \p{Ll}|[£$€¥] ?\p{N}|^(?:Caveat|Note|Warning|Tip|Example|Summary|Result)s?$/u
