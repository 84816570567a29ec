/** Finds ledger entries and summary paragraphs for a question, by checking each of them. */
import type { Ledger, LedgerEntry } from '../../domain/ledger.ts'
import type { RecalledPiece } from '../../domain/recall.ts'
import { anchorOf } from '../../domain/span.ts'
import type { SummaryRecord } from '../../domain/summary.ts'
import { termsOf } from '../../extract/terms.ts'
import { splitPieces } from '../../extract/text-cuts.ts'
import { mentions } from '../history/ledger-data.ts'
import { entryText } from '../history/ledger-page.ts'
import { getOrMake } from '../text/bounded-cache.ts'
import type { AskedTerm } from './asked-terms.ts'
import { noReason } from './recalled-text.ts'

/** Best first; the score is the share of the question's terms in the entry, from 0 to 1. */
export function recallEntries(
  { entries }: Ledger,
  terms: readonly AskedTerm[],
  limit: number,
): readonly RecalledPiece[] {
  return best(entries, termsOfEntry, entryPiece, { terms, limit })
}

function termsOfEntry(entry: LedgerEntry): ReadonlySet<string> {
  return getOrMake(entryTerms, entry, () => new Set(termsOf(`${entry.label} ${entry.value}`)))
}

// A long conversation has thousands, and each search asks all of them.
const entryTerms = new WeakMap<LedgerEntry, ReadonlySet<string>>()

function entryPiece(entry: LedgerEntry): KnownPiece {
  const { section, line, text } = entryText(entry, new Map())
  const seq = entry.sources.at(-1) ?? entry.lastSeq
  const span = { from: seq, to: seq + 1 }
  const words = section === mentions ? `${text} #${seq}` : `${line.trimEnd()}${text}`
  return { kind: 'entry', anchor: anchorOf(span), span, at: null, text: words, origins: [] }
}

export function recallSummary(
  { text, covers, createdAt }: SummaryRecord,
  terms: readonly AskedTerm[],
  limit: number,
): readonly RecalledPiece[] {
  const ranges = splitPieces(text, { characters: paragraphCharacters, pieces: 1_000 })
  const paragraphs = ranges.map(({ from, to }) => text.slice(from, to))
  const place = { anchor: anchorOf(covers), span: covers, at: createdAt }
  const source = { kind: 'summary', ...place, origins: [] } as const
  const pieceOf = (paragraph: string) => ({ ...source, text: paragraph.trim() })
  return best(paragraphs, (text) => new Set(termsOf(text)), pieceOf, { terms, limit })
}

const paragraphCharacters = 600

type KnownPiece = Omit<RecalledPiece, 'score' | 'foundBy'>

function best<Item>(
  items: readonly Item[],
  termsIn: (item: Item) => ReadonlySet<string>,
  pieceOf: (item: Item) => KnownPiece,
  { terms, limit }: { readonly terms: readonly AskedTerm[]; readonly limit: number },
): readonly RecalledPiece[] {
  return items
    .map((item) => {
      const found = termsIn(item)
      return { item, found: terms.filter(({ term }) => found.has(term)) }
    })
    .filter(({ found }) => found.length >= Math.max(1, terms.length * minShare))
    .sort((left, right) => right.found.length - left.found.length)
    .slice(0, limit)
    .map(({ item, found }) => ({
      ...pieceOf(item),
      score: found.length / terms.length,
      foundBy: { ...noReason, words: found.map(({ word }) => word), neighbours: [] },
    }))
}

/** With fewer terms the entry is about something else. */
const minShare = 0.5
