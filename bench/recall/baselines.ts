/**
 * Simpler ways to fill a context for a question: the end of the log, or half of that and half of BM25
 * results, each hit alone or with six messages on each side.
 */
import type { Message } from 'throughline'
import { searchedTerms, termsOf } from '../../packages/throughline/src/extract/terms.ts'
import { textOfParts } from '../../packages/throughline/src/flow/text/readable-text.ts'

export interface SearchedLog {
  readonly messages: readonly Message[]
  /** The tokens of each message in a request. */
  readonly tokens: readonly number[]
}

/** Positions of the shown messages. */
type Baseline = (log: SearchedLog, question: string, tokens: number) => ReadonlySet<number>

export const recallBaselines: Readonly<Record<string, Baseline>> = {
  tail: (log, _, tokens) => tailOf(log, tokens).shown,
  bm25: (log, question, tokens) => tailAndHits(log, question, tokens, 0),
  'bm25+neighbours': (log, question, tokens) => tailAndHits(log, question, tokens, 6),
}

function tailOf({ tokens }: SearchedLog, room: number) {
  const shown = new Set<number>()
  let left = room
  for (let place = tokens.length - 1; place >= 0; place -= 1) {
    const cost = tokens[place] ?? 0
    if (cost > left) break
    left -= cost
    shown.add(place)
  }
  return { shown, left }
}

function tailAndHits(
  log: SearchedLog,
  question: string,
  room: number,
  neighbours: number,
): ReadonlySet<number> {
  const { shown, left } = tailOf(log, room / 2)
  let free = room / 2 + left
  const scores = bm25(log, question)
  const ranked = scores.map((_, place) => place)
  ranked.sort((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0))
  for (const hit of ranked) {
    if ((scores[hit] ?? 0) <= 0) break
    for (let place = hit - neighbours; place <= hit + neighbours; place += 1) {
      const cost = log.tokens[place]
      if (cost === undefined || shown.has(place) || cost > free) continue
      shown.add(place)
      free -= cost
    }
  }
  return shown
}

const saturation = 1.2
const lengthShare = 0.75

/** The textbook formula. */
function bm25(log: SearchedLog, question: string): readonly number[] {
  const documents = countedTerms(log)
  const mean = documents.reduce((sum, { length }) => sum + length, 0) / documents.length
  const scores = documents.map(() => 0)
  for (const term of searchedTerms(question)) {
    const holding = documents.filter(({ counts }) => counts.has(term)).length
    const rarity = Math.log(1 + (documents.length - holding + 0.5) / (holding + 0.5))
    for (const [place, { counts, length }] of documents.entries()) {
      const times = counts.get(term) ?? 0
      const norm = saturation * (1 - lengthShare + (lengthShare * length) / mean)
      scores[place] = (scores[place] ?? 0) + (rarity * times * (saturation + 1)) / (times + norm)
    }
  }
  return scores
}

interface CountedTerms {
  readonly counts: ReadonlyMap<string, number>
  readonly length: number
}

const known = new WeakMap<SearchedLog, readonly CountedTerms[]>()

function countedTerms(log: SearchedLog): readonly CountedTerms[] {
  const counted =
    known.get(log) ??
    log.messages.map(({ author, parts }) => {
      const terms = termsOf(`${author ?? ''} ${textOfParts(parts)}`)
      const counts = new Map<string, number>()
      for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
      return { counts, length: terms.length }
    })
  known.set(log, counted)
  return counted
}
