import type { Seq } from '../domain/ids.ts'
import {
  type FoundPieces,
  type IndexedPiece,
  maxParts,
  type PieceKey,
  type PieceQuery,
  pieceKey,
  type TermMatch,
} from '../domain/search-index.ts'

interface TermsOfPiece {
  readonly terms: ReadonlySet<string>
  readonly length: number
}

/**
 * Posting lists in memory, for stores without a search of their own: each term has the pieces that
 * contain it.
 *
 * @example
 * const index = new TermIndex()
 * index.add([{ seq: 12, part: 0, terms: ['invoice', 'paid'], names: ['INV-2041'], length: 4 }])
 * const found = index.find({ terms: ['invoice'], partsOfNames: [], before: 40, most: 100 })
 * console.log(found.matches[0]?.keys)
 */
export class TermIndex {
  readonly #pieces = new Map<PieceKey, TermsOfPiece>()
  readonly #keysOfTerm = new Map<string, PieceKey[]>()
  readonly #names = new Map<PieceKey, string>()

  /** The pieces must be new to the index. */
  add(pieces: readonly IndexedPiece[]): void {
    for (const { seq, part, terms, names, length } of pieces) {
      const key = pieceKey(seq, part)
      const piece = { terms: new Set(terms), length }
      this.#pieces.set(key, piece)
      for (const term of piece.terms) this.#post(term, key)
      if (names.length > 0) this.#names.set(key, foldedNames(names))
    }
  }

  /** Removes the pieces of one message. */
  drop(seq: Seq): void {
    for (let part = 0; part < maxParts; part += 1) {
      const key = pieceKey(seq, part)
      for (const term of this.#pieces.get(key)?.terms ?? []) this.#withdraw(term, key)
      this.#pieces.delete(key)
      this.#names.delete(key)
    }
  }

  find({ terms, partsOfNames, before, most }: PieceQuery): FoundPieces {
    const end = pieceKey(before, 0)
    let pieces = 0
    let words = 0
    for (const [key, { length }] of this.#pieces) {
      if (key >= end) continue
      pieces += 1
      words += length
    }
    return {
      pieces,
      words,
      matches: [
        ...terms.map((term) => this.#match(this.#withTerm(term, end), most)),
        ...partsOfNames.map((part) => this.#match(this.#withNamePart(part, end), most)),
      ],
    }
  }

  #withTerm(term: string, end: PieceKey): readonly PieceKey[] {
    const keys = this.#keysOfTerm.get(term) ?? []
    return keys.slice(0, insertionIndex(keys, end))
  }

  #withNamePart(part: string, end: PieceKey): readonly PieceKey[] {
    const text = foldedPart(part)
    if (text === null) return []
    return [...this.#names]
      .filter(([key, names]) => key < end && names.includes(text))
      .map(([key]) => key)
      .sort((left, right) => left - right)
  }

  #match(keys: readonly PieceKey[], most: number): TermMatch {
    const count = keys.length
    return { count, keys: count > most ? null : keys }
  }

  #post(term: string, key: PieceKey): void {
    const keys = this.#keysOfTerm.get(term)
    if (keys === undefined) this.#keysOfTerm.set(term, [key])
    else if (key > (keys.at(-1) ?? 0)) keys.push(key)
    else keys.splice(insertionIndex(keys, key), 0, key)
  }

  #withdraw(term: string, key: PieceKey): void {
    const keys = this.#keysOfTerm.get(term) ?? []
    keys.splice(insertionIndex(keys, key), 1)
    if (keys.length === 0) this.#keysOfTerm.delete(term)
  }
}

/** Binary search for the first key that is not smaller. */
function insertionIndex(keys: readonly PieceKey[], key: PieceKey): number {
  let [from, to] = [0, keys.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((keys[middle] ?? 0) < key) from = middle + 1
    else to = middle
  }
  return from
}

/**
 * Joins what was found in several ranges of one conversation, such as those that a fork shares. The
 * ranges are in the order of the conversation.
 *
 * @example
 * const index = new TermIndex()
 * const query = { terms: ['invoice'], partsOfNames: [], before: 40, most: 100 }
 * const found = joinFound([index.find({ ...query, before: 12 }), index.find(query)], query)
 */
export function joinFound(
  ranges: readonly FoundPieces[],
  { terms, partsOfNames, most }: PieceQuery,
): FoundPieces {
  const [first] = ranges
  if (first !== undefined && ranges.length === 1) return first
  return {
    pieces: sum(ranges.map(({ pieces }) => pieces)),
    words: sum(ranges.map(({ words }) => words)),
    matches: [...terms, ...partsOfNames].map((_, index) => {
      const matches = ranges.flatMap(({ matches }) => matches[index] ?? [])
      const count = sum(matches.map((match) => match.count))
      return { count, keys: count > most ? null : matches.flatMap(({ keys }) => keys ?? []) }
    }),
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}

/**
 * Joins the names of a piece into one text, which is searched for parts of names.
 *
 * @example
 * const text = foldedNames(['src/Invoice.ts', 'INV-2041'])
 * const part = foldedPart('invoice')
 * console.log(part !== null && text.includes(part)) // true
 */
export function foldedNames(names: readonly string[]): string {
  return names.map(folded).join('\n')
}

/**
 * Folds a part of a name for a search. Null where it cannot match: under three characters, or
 * with a line break. See `foldedNames`.
 */
export function foldedPart(part: string): string | null {
  const text = folded(part)
  return text.includes('\n') || !/^.{3}/su.test(text) ? null : text
}

function folded(text: string): string {
  // A final sigma differs only in lower case. Databases do not keep lone surrogates and NUL, which
  // mean nothing to a reader.
  return text.toLowerCase().replaceAll('ς', 'σ').toWellFormed().replaceAll('\0', '\ufffd')
}
