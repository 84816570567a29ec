/** What the sources of a summary hold: built once in linear time, queried for each draft. */
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
  /** A summary replaces messages; the rest is what it may know besides. */
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

// About ten milliseconds' worth.
const charactersAtOnce = 32_000

/** The same, with pauses in which others come between: a million tokens take a second. */
export async function indexInTurns(
  sources: readonly GateSource[],
  pause: () => Promise<void>,
): Promise<SourceIndex> {
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

/**
 * The exact values of a text (paths, ids, hashes, long numbers …) that no source has: whoever wrote
 * the text made them up, or misspelled them. Pure; linear in the text.
 *
 * For example:
 * unsupportedValues('Fixed in 8c41f7e.', indexSources([{ kind: 'message', role: 'user', text: 'Fix it' }]))
 * // [{ kind: 'hash', text: '8c41f7e', at: 9 }]
 */
export function unsupportedValues(text: string, index: SourceIndex): readonly ExactValue[] {
  return exactValuesIn(text).filter((value) => !index.hasValue(value))
}

// An output of megabytes without a space is data; words of it are none.
const longestWord = 128
const shortestPrefix = 7

export class SourceIndex {
  readonly #runs = new Set<string>()
  readonly #words = new Set<string>()
  readonly #spoken = new Set<string>()
  readonly #stems = new Set<string>()
  readonly #written = new Set<string>()
  readonly terms = new Set<string>()
  readonly #pairs = new Set<string>()
  readonly #chains = new Set<string>()
  readonly #paths = new KnownPaths()
  readonly #slashed = new Set<string>()
  readonly #messages = new Set<string>()
  readonly passages = new Set<number>()
  #sorted: readonly string[] | null = null
  #decimals: readonly string[] | null = null
  readonly values = new Map<ExactValueKind, Set<string>>()
  readonly sources: readonly GateSource[]

  constructor(sources: readonly GateSource[]) {
    this.sources = sources
  }

  add({ kind, text }: GateSource): void {
    this.#addRuns(text)
    // A line break in JSON is two characters, of which the second would begin a word; a
    // backslash between folders has to stay. Both readings are known.
    if (text.includes('\\'))
      this.#addRuns(text.replace(/\\{1,8}(?:u[0-9a-fA-F]{4}|x1b\[[\d;]{0,9}m|[nrtbf"])/g, '  '))
    if (text.includes('\u001b')) this.#addRuns(text.replace(/\u001b\[[\d;]{0,12}[A-Za-z]/g, ' '))
    if (/%[0-9A-F]{2}/.test(text)) this.#addRuns(text.replace(/%[0-9A-F]{2}/g, ' '))
    for (const { text: digits } of groupedNumbersIn(text))
      this.#words.add(digits.replace(/\..*$/, '')).add(digits)
    const words = passageWords(text)
    for (const word of new Set(words)) {
      this.#spoken.add(word)
      this.#stems.add(word.slice(0, stemCharacters))
    }
    this.#addTerms(text)
    if (kind !== 'message') return
    this.#messages.add(words.join(' ').slice(0, longestMessage))
    for (const hash of passageHashes(words)) this.passages.add(hash)
  }

  /** Each spelling once: to stem a word takes ten times as long as to find it. */
  #addTerms(text: string): void {
    const words = text.match(/[\p{L}\p{N}\p{M}_]+/gu) ?? []
    for (const word of words) {
      if (this.#written.has(word)) continue
      this.#written.add(word)
      for (const term of termsOf(word)) this.terms.add(term)
    }
  }

  #addRuns(text: string): void {
    for (const run of runsIn(text)) {
      if (this.#runs.has(run.text)) continue
      this.#runs.add(run.text)
      this.#paths.add(run.text)
      for (const { kind, text: value } of valuesOfRun(run, text)) this.#noted(kind).add(value)
      const segments = run.text.split('/')
      for (const segment of segments) this.#addSegment(segment)
      if (segments.length > 1) for (const segment of segments) this.#slashed.add(segment)
    }
  }

  #addSegment(segment: string): void {
    if (segment.length < 2) return
    let before: string | null = null
    for (const [word] of segment.matchAll(/[A-Za-z0-9]+/g)) {
      if (word.length <= longestWord) this.#addWord(word)
      if (before !== null && /\d/.test(before + word)) this.#pairs.add(pairOf(before, word))
      before = word
    }
    if (segment.includes('.'))
      for (const [chain] of segment.matchAll(/\d+(?:\.\d+)+/g)) this.#chains.add(chain)
    if (segment.includes('@')) this.#noted('email').add(segment)
  }

  #addWord(word: string): void {
    if (this.#words.has(word)) return
    this.#words.add(word)
    if (!/\d/.test(word)) return
    this.#words.add(word.toLowerCase())
    const number = /^(\d{4,40})[A-Za-z]{1,3}$/.exec(word)?.[1]
    if (number !== undefined) this.#words.add(number)
  }

  #noted(kind: ExactValueKind): Set<string> {
    return getOrMake(this.values, kind, () => new Set())
  }

  hasValue({ kind, text }: ExactValue): boolean {
    switch (kind) {
      case 'path':
        return this.#paths.has(text) || this.#runs.has(text) || this.#areChoices(text)
      case 'url':
        return this.#paths.has(text) || this.#runs.has(text)
      case 'email':
        return this.#noted('email').has(text)
      case 'version':
        return this.#chains.has(/^\d+(?:\.\d+)+/.exec(text)?.[0] ?? text)
      case 'uuid':
      case 'key':
        return this.#hasChained(text)
      case 'hash':
        return this.#words.has(text.toLowerCase()) || this.#hasPrefix(text.toLowerCase())
      case 'id':
        return this.#words.has(text)
      case 'number':
        return (
          this.#words.has(text) ||
          (text.includes('.') && this.#hasDecimal(text)) ||
          this.#saysThousands(text)
        )
    }
  }

  /** `current/stale/missing` names choices: all are known, or all are words and none is in a path. */
  #areChoices(text: string): boolean {
    if (/^[/~.]|\.[A-Za-z][A-Za-z0-9]{0,9}$/.test(text)) return false
    const segments = text.split('/')
    if (segments.every((each) => /^[a-z]{3,}$/.test(each) && !this.#slashed.has(each))) return true
    return passageWords(segments.join(' ')).every((word) => this.#spoken.has(word))
  }

  /** `140,000` where somebody said `140k`, or `a hundred and forty thousand`. */
  #saysThousands(text: string): boolean {
    const [, lead, zeros = ''] = /^(\d{1,3})((?:000){1,3})$/.exec(text) ?? []
    if (lead === undefined) return false
    const unit = zeros.length === 3 ? 'k' : zeros.length === 6 ? 'm' : 'b'
    if ([`${lead}${unit}`, `${lead}${unit.toUpperCase()}`].some((word) => this.#words.has(word)))
      return true
    return wordsForThousands.some((word) => this.#spoken.has(word))
  }

  /** As it is, or rounded to fewer places; three of them may as well be a group. */
  #hasDecimal(text: string): boolean {
    if (this.#chains.has(text) || (/\.\d{3}$/.test(text) && this.#words.has(text.replace('.', ''))))
      return true
    this.#decimals ??= [...this.#chains].sort()
    const last = Number(text.at(-1))
    const below = last === 0 ? text : text.slice(0, -1) + String(last - 1)
    return startsOne(this.#decimals, text) || startsOne(this.#decimals, below)
  }

  #hasChained(text: string): boolean {
    const words = text.split(/[-_]/)
    return words.every((word, at) => {
      const before = words[at - 1]
      if (before === undefined) return true
      // Two groups of letters are no pair that is kept: every text is full of those.
      return /\d/.test(before + word)
        ? this.#pairs.has(pairOf(before, word))
        : this.#words.has(before) && this.#words.has(word)
    })
  }

  /** A hash is often shortened to its first characters. */
  #hasPrefix(hash: string): boolean {
    if (hash.length < shortestPrefix) return false
    const isHash = (word: string) => word.length > shortestPrefix && /^[0-9a-f]+$/i.test(word)
    this.#sorted ??= [...this.#words]
      .filter(isHash)
      .map((word) => word.toLowerCase())
      .sort()
    return startsOne(this.#sorted, hash)
  }

  hasWord(word: string): boolean {
    return this.#spoken.has(word) || this.#words.has(word)
  }

  /** Whether any word begins with the same letters, as `design` and `designed` do. */
  hasStem(word: string): boolean {
    return this.#stems.has(word.slice(0, stemCharacters))
  }

  /** How many different terms of `termsOf`. */
  get termCount(): number {
    return this.terms.size
  }

  /** Whether a whole message says just that. */
  hasMessage(text: string): boolean {
    return this.#messages.has(passageWords(text).join(' ').slice(0, longestMessage))
  }
}

const longestMessage = 2_000
const stemCharacters = 5

function pairOf(one: string, other: string): string {
  return `${one}-${other}`.toLowerCase()
}

function startsOne(sorted: readonly string[], start: string): boolean {
  let from = 0
  let to = sorted.length
  while (from < to) {
    const middle = (from + to) >> 1
    if ((sorted[middle] ?? '') < start) from = middle + 1
    else to = middle
  }
  return sorted[from]?.startsWith(start) === true
}
