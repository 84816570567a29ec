/** An index of a summary's sources: built once in linear time, queried for each draft. */
import type { Role } from '../../domain/message.ts'
import {
  type ExactValue,
  type ExactValueKind,
  exactValuesIn,
  groupedNumbersIn,
  runsIn,
  valuesOfRun,
} from '../../extract/literals/exact-values.ts'
import { termsOf } from '../../extract/terms.ts'
import { getOrMake } from '../text/bounded-cache.ts'
import { passageHashes, passageWords } from './draft-text.ts'
import { wordsForThousands } from './draft-words-data.ts'
import { KnownPaths } from './known-paths.ts'

export interface GateSource {
  /** A summary replaces messages; the other kinds are additional allowed sources. */
  readonly kind: 'message' | 'system' | 'tools' | 'summary' | 'pin' | 'ledger'
  readonly role: 'user' | 'assistant' | 'tool' | null
  readonly text: string
}

export function messageSource(role: Role, text: string): GateSource {
  return role === 'system' ? { kind: 'system', role: null, text } : { kind: 'message', role, text }
}

export function indexSources(sources: readonly GateSource[]): SourceIndex {
  const index = new SourceIndex(sources)
  for (const source of sources) index.add(source)
  return index
}

// About ten milliseconds of work.
const charactersAtOnce = 32_000

/** Pauses between sources, because a million tokens would block the process for a second. */
export async function indexWithPauses(sources: readonly GateSource[], pause: () => Promise<void>) {
  const index = new SourceIndex(sources)
  let characters = 0
  for (const source of sources) {
    index.add(source)
    characters += source.text.length
    if (characters < charactersAtOnce) continue
    characters = 0
    await pause()
  }
  return index
}

/** The exact values of a text that no source contains: the model invented or misspelled them. */
export function unsupportedValues(text: string, index: SourceIndex): readonly ExactValue[] {
  return exactValuesIn(text).filter((value) => !index.hasValue(value))
}

// Longer runs are encoded data, not words.
const maxWordCharacters = 128
const minPrefixCharacters = 7

export class SourceIndex {
  readonly sources: readonly GateSource[]
  readonly values = new Map<ExactValueKind, Set<string>>()
  readonly terms = new Set<string>()
  /** Hashes of passages of messages. */
  readonly passages = new Set<number>()
  readonly #runs = new Set<string>()
  readonly #paths = new KnownPaths()
  /** Segments of runs that contain a slash. */
  readonly #pathSegments = new Set<string>()
  /** Words inside runs: letters and digits of ASCII, such as parts of ids. */
  readonly #words = new Set<string>()
  /** Neighbouring words inside a run, if one has a digit. */
  readonly #wordPairs = new Set<string>()
  /** Versions, addresses and decimals. */
  readonly #dottedNumbers = new Set<string>()
  /** Words of the text in any script, in lower case. */
  readonly #textWords = new Set<string>()
  readonly #stems = new Set<string>()
  readonly #stemmedSpellings = new Set<string>()
  readonly #messages = new Set<string>()
  #sortedHashes: readonly string[] | null = null
  #sortedDecimals: readonly string[] | null = null

  constructor(sources: readonly GateSource[]) {
    this.sources = sources
  }

  add({ kind, text }: GateSource): void {
    this.#addRuns(text)
    // In JSON a line break is `\n`, whose `n` would join the next word; but a backslash may also
    // separate folders. The index contains both readings.
    if (text.includes('\\'))
      this.#addRuns(text.replace(/\\{1,8}(?:u[0-9a-fA-F]{4}|x1b\[[\d;]{0,9}m|[nrtbf"])/g, '  '))
    if (text.includes('\u001b')) this.#addRuns(text.replace(/\u001b\[[\d;]{0,12}[A-Za-z]/g, ' '))
    if (/%[0-9A-F]{2}/.test(text)) this.#addRuns(text.replace(/%[0-9A-F]{2}/g, ' '))
    for (const { text: digits } of groupedNumbersIn(text))
      this.#words.add(digits.replace(/\..*$/, '')).add(digits)
    const words = passageWords(text)
    for (const word of new Set(words)) {
      this.#textWords.add(word)
      this.#stems.add(word.slice(0, stemCharacters))
    }
    this.#addTerms(text)
    if (kind !== 'message') return
    this.#messages.add(words.join(' ').slice(0, maxMessageCharacters))
    for (const hash of passageHashes(words)) this.passages.add(hash)
  }

  /** Stems each spelling only once, because stemming is ten times slower than a lookup. */
  #addTerms(text: string): void {
    const words = text.match(/[\p{L}\p{N}\p{M}_]+/gu) ?? []
    for (const word of words) {
      if (this.#stemmedSpellings.has(word)) continue
      this.#stemmedSpellings.add(word)
      for (const term of termsOf(word)) this.terms.add(term)
    }
  }

  #addRuns(text: string): void {
    for (const run of runsIn(text)) {
      if (this.#runs.has(run.text)) continue
      this.#runs.add(run.text)
      this.#paths.add(run.text)
      for (const { kind, text: value } of valuesOfRun(run, text))
        this.#valuesOfKind(kind).add(value)
      const segments = run.text.split('/')
      for (const segment of segments) this.#addSegment(segment)
      if (segments.length > 1) for (const segment of segments) this.#pathSegments.add(segment)
    }
  }

  #addSegment(segment: string): void {
    if (segment.length < 2) return
    let before: string | null = null
    for (const [word] of segment.matchAll(/[A-Za-z0-9]+/g)) {
      if (word.length <= maxWordCharacters) this.#addWord(word)
      if (before !== null && /\d/.test(before + word)) this.#wordPairs.add(pairOf(before, word))
      before = word
    }
    if (segment.includes('.'))
      for (const [number] of segment.matchAll(/\d+(?:\.\d+)+/g)) this.#dottedNumbers.add(number)
    if (segment.includes('@')) this.#valuesOfKind('email').add(segment)
  }

  #addWord(word: string): void {
    if (this.#words.has(word)) return
    this.#words.add(word)
    if (!/\d/.test(word)) return
    this.#words.add(word.toLowerCase())
    const number = /^(\d{4,40})[A-Za-z]{1,3}$/.exec(word)?.[1]
    if (number !== undefined) this.#words.add(number)
  }

  #valuesOfKind(kind: ExactValueKind): Set<string> {
    return getOrMake(this.values, kind, () => new Set())
  }

  hasValue({ kind, text }: ExactValue): boolean {
    switch (kind) {
      case 'path':
        return this.#paths.has(text) || this.#runs.has(text) || this.#isListOfWords(text)
      case 'url':
        return this.#paths.has(text) || this.#runs.has(text)
      case 'email':
        return this.#valuesOfKind('email').has(text)
      case 'version':
        return this.#dottedNumbers.has(/^\d+(?:\.\d+)+/.exec(text)?.[0] ?? text)
      case 'uuid':
      case 'key':
        return this.#hasWordChain(text)
      case 'hash':
        return this.#words.has(text.toLowerCase()) || this.#hasPrefix(text.toLowerCase())
      case 'id':
        return this.#words.has(text)
      case 'number':
        if (text.includes('.') && this.#hasDecimal(text)) return true
        return this.#words.has(text) || this.#hasRoundNumber(text)
    }
  }

  /** `current/stale/missing` is a list: its words are known, or occur in no path of the sources. */
  #isListOfWords(text: string): boolean {
    if (/^[/~.]|\.[A-Za-z][A-Za-z0-9]{0,9}$/.test(text)) return false
    const segments = text.split('/')
    if (segments.every((each) => /^[a-z]{3,}$/.test(each) && !this.#pathSegments.has(each)))
      return true
    return passageWords(segments.join(' ')).every((word) => this.#textWords.has(word))
  }

  /** `140,000` if a source has `140k` or `a hundred and forty thousand`. */
  #hasRoundNumber(text: string): boolean {
    const [, lead, zeros = ''] = /^(\d{1,3})((?:000){1,3})$/.exec(text) ?? []
    if (lead === undefined) return false
    const unit = { 3: 'k', 6: 'm', 9: 'b' }[zeros.length] ?? ''
    const spellings = [`${lead}${unit}`, `${lead}${unit.toUpperCase()}`]
    if (spellings.some((word) => this.#words.has(word))) return true
    return wordsForThousands.some((word) => this.#textWords.has(word))
  }

  /** Unchanged, or rounded to fewer decimals; `.123` may also be a group of thousands. */
  #hasDecimal(text: string): boolean {
    if (this.#dottedNumbers.has(text)) return true
    if (/\.\d{3}$/.test(text) && this.#words.has(text.replace('.', ''))) return true
    this.#sortedDecimals ??= [...this.#dottedNumbers].sort()
    // A source number that was rounded up begins with the digit below.
    const lastDigit = Number(text.at(-1))
    const below = lastDigit === 0 ? text : text.slice(0, -1) + String(lastDigit - 1)
    const decimals = this.#sortedDecimals
    return isStartOfLonger(decimals, text) || isStartOfLonger(decimals, below)
  }

  #hasWordChain(text: string): boolean {
    const words = text.split(/[-_]/)
    return words.every((word, at) => {
      const before = words[at - 1]
      if (before === undefined) return true
      // Pairs without digits are not indexed, because every text is full of them.
      return /\d/.test(before + word)
        ? this.#wordPairs.has(pairOf(before, word))
        : this.#words.has(before) && this.#words.has(word)
    })
  }

  /** A hash is often shortened to its first characters. */
  #hasPrefix(hash: string): boolean {
    if (hash.length < minPrefixCharacters) return false
    const isHash = (word: string) => word.length > minPrefixCharacters && /^[0-9a-f]+$/i.test(word)
    const lowered = () => [...this.#words].filter(isHash).map((word) => word.toLowerCase())
    this.#sortedHashes ??= lowered().sort()
    return isStartOfLonger(this.#sortedHashes, hash)
  }

  hasWord(word: string): boolean {
    return this.#textWords.has(word) || this.#words.has(word)
  }

  /** Whether any word starts with the same letters, as in `design` and `designed`. */
  hasStem(word: string): boolean {
    return this.#stems.has(word.slice(0, stemCharacters))
  }

  /** The number of different terms. */
  get termCount(): number {
    return this.terms.size
  }

  /** Whether one message has exactly this text. */
  hasMessage(text: string): boolean {
    return this.#messages.has(passageWords(text).join(' ').slice(0, maxMessageCharacters))
  }
}

const maxMessageCharacters = 2_000
const stemCharacters = 5

function pairOf(first: string, second: string): string {
  return `${first}-${second}`.toLowerCase()
}

/** Whether a longer text starts with this one: without more digits, nothing was rounded. */
function isStartOfLonger(sorted: readonly string[], start: string): boolean {
  let from = 0
  let to = sorted.length
  while (from < to) {
    const middle = (from + to) >> 1
    if ((sorted[middle] ?? '') <= start) from = middle + 1
    else to = middle
  }
  return sorted[from]?.startsWith(start) === true
}
