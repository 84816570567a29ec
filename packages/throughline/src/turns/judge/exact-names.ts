/**
 * Names and numbers of a sentence, held against what it tells of: what is quoted, what has
 * capitals, what is counted. A slip in case or accents gets the spelling of the source; a name
 * or a number that stands nowhere makes the sentence unfit.
 */
import { quotedLiterals } from '../../extract/literals/phrase-literals.ts'
import type { SourceIndex } from '../../flow/gate/source-index.ts'
import type { KnownSpelling } from './known-spelling.ts'
import { numbersIn, numberWordsIn } from './numbers-in.ts'
import type { ReadSources } from './told-sources.ts'

export type HeldSentence =
  | { readonly kind: 'held'; readonly text: string }
  | { readonly kind: 'unknown'; readonly names: readonly string[] }

type ExactSources = Pick<ReadSources, 'spelling' | 'index' | 'numbers'>

export function holdExact(sentence: string, sources: ExactSources): HeldSentence {
  const { spelling, index } = sources
  const unknown: string[] = []
  const spelled: Spelled[] = []
  for (const named of [...quotedIn(sentence), ...capitalisedIn(sentence, spelling, index)]) {
    const to = spelling.of(named.text)
    if (to === null) unknown.push(named.text)
    else if (to !== named.text) spelled.push({ ...named, to })
  }
  for (const number of unknownNumbers(sentence, sources)) unknown.push(number)
  if (unknown.length > 0) return { kind: 'unknown', names: [...new Set(unknown)] }
  return { kind: 'held', text: respelled(sentence, spelled) }
}

function unknownNumbers(sentence: string, { numbers, index }: ExactSources): readonly string[] {
  const inDigits = numbersIn(sentence).filter((number) => !isKnownNumber(number, numbers))
  const inWords = numberWordsIn(sentence)
    .filter(({ word, number }) => !numbers.has(number) && !index.hasWord(word))
    .map(({ word }) => word)
  return [...inDigits, ...inWords]
}

/** As it is, or from one that is known to another. */
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
  // One inside another is spelled with it.
  for (const { at, text: from, to } of spelled.toSorted((one, other) => other.at - one.at))
    if (text.startsWith(from, at)) text = text.slice(0, at) + to + text.slice(at + from.length)
  return text
}

/** In quotes; in the marks of titles; and in brackets, which a model copies from a form. */
function quotedIn(sentence: string): readonly Named[] {
  const marked = Array.from(sentence.matchAll(quotes), ({ 0: whole, index }) => {
    const text = whole
      .slice(1, -1)
      .trim()
      .replace(/[.,!?…]+$/, '')
    return { text, at: index + whole.indexOf(text) }
  })
  return [...marked, ...quotedLiterals(sentence).map(({ text, at }) => ({ text, at }))]
}

const quotes = /《[^《》]+》|["“„«][^"“”„«»]+["”“»]|\[[^[\]]+\]/g

const word = "[\\p{L}\\p{M}\\p{N}]*(?:['’-]\\p{L}[\\p{L}\\p{M}\\p{N}]*)*"
const run = new RegExp(`(?<![\\p{L}\\p{M}\\p{N}_])\\p{Lu}${word}(?: \\p{Lu}${word})*`, 'gu')

/** What several words with capitals name together stands together in a source, too. */
function capitalisedIn(
  sentence: string,
  spelling: KnownSpelling,
  index: SourceIndex,
): readonly Named[] {
  const haveNouns = (sentence.match(german)?.length ?? 0) >= fewGerman
  return Array.from(sentence.matchAll(run), ({ 0: text, index: at }) => {
    const begins = at === 0 || sentenceStart.test(sentence.slice(Math.max(0, at - 6), at))
    const isWhole = !begins || spelling.of(text) !== null
    return withoutFrame(isWhole ? { text, at } : withoutFirst(text, at))
  }).filter(({ text }) => {
    if (text === '' || plainCapitals.has(text)) return false
    return text.includes(' ') || !(haveNouns || isKnownWord(text, index))
  })
}

/** Nouns of German have capitals, whatever they name. */
const german =
  /(?<!\p{L})(?:der|die|das|und|ein|eine|einen|mit|für|von|dem|den|wurden?|hat|nicht|zum|zur|im|auf)(?!\p{L})/giu
const fewGerman = 2

/** Behind a word, and not behind an initial. */
const sentenceStart = /[;；。！？]\s?$|[\p{Ll}\p{N}]{2}[.!?]["'”’)]{0,2}\s$/u

/** A sentence gives its first word a capital whatever it is. */
function withoutFirst(text: string, at: number): Named {
  const space = text.indexOf(' ')
  return space < 0 ? { text: '', at } : { text: text.slice(space + 1), at: at + space + 1 }
}

/** Those who speak are named in no source. */
function withoutFrame({ text, at }: Named): Named {
  const opened = /^(?:(?:User|Assistant|AI)(?: |$))+/.exec(text)?.[0].length ?? 0
  const rest = text.slice(opened).replace(/(?: (?:User|Assistant|AI))+$/, '')
  return { text: rest, at: at + opened }
}

const plainCapitals: ReadonlySet<string> = new Set('A I AI API ID IDs OK UI URL URLs'.split(' '))

/** In this form or another: `Design` for `designed`. */
function isKnownWord(name: string, index: SourceIndex): boolean {
  const small = name.toLowerCase()
  return index.hasWord(small) || index.hasStem(small)
}
