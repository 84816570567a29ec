/** Finds ledger entries and summary paragraphs for a question, by checking each of them. */
import type { Ledger, LedgerEntry } from '../../domain/ledger.ts'
import type { RecalledPiece } from '../../domain/recall.ts'
import { anchorOf } from '../../domain/span.ts'
import type { SummaryRecord } from '../../domain/summary.ts'
import { termsOf } from '../../extract/terms.ts'
import { splitPieces } from '../../extract/text-cuts.ts'
import { mentions } from '../history/ledger-data.ts'
import { entryText } from '../history/ledger-page.ts'

/** Best first; the score is the share of the question's terms in the entry, from 0 to 1. */
export function recallEntries(
  { entries }: Ledger,
  terms: readonly string[],
  limit: number,
): readonly RecalledPiece[] {
  return best(entries, ({ label, value }) => shareOf(terms, `${label} ${value}`), entryPiece, limit)
}

function entryPiece(entry: LedgerEntry): Omit<RecalledPiece, 'score'> {
  const { section, line, text } = entryText(entry, new Map())
  const seq = entry.sources.at(-1) ?? entry.lastSeq
  const span = { from: seq, to: seq + 1 }
  const words = section === mentions ? `${text} #${seq}` : `${line.trimEnd()}${text}`
  return { kind: 'entry', anchor: anchorOf(span), span, at: null, text: words, origins: [] }
}

export function recallSummary(
  { text, covers, createdAt }: SummaryRecord,
  terms: readonly string[],
  limit: number,
): readonly RecalledPiece[] {
  const ranges = splitPieces(text, { characters: paragraphCharacters, pieces: 1_000 })
  const paragraphs = ranges.map(({ from, to }) => text.slice(from, to))
  const place = { anchor: anchorOf(covers), span: covers, at: createdAt }
  const source = { kind: 'summary', ...place, origins: [] } as const
  const pieceOf = (paragraph: string) => ({ ...source, text: paragraph.trim() })
  return best(paragraphs, (paragraph) => shareOf(terms, paragraph), pieceOf, limit)
}

const paragraphCharacters = 600

function best<Item>(
  items: readonly Item[],
  scoreOf: (item: Item) => number,
  pieceOf: (item: Item) => Omit<RecalledPiece, 'score'>,
  limit: number,
): readonly RecalledPiece[] {
  return items
    .map((item) => ({ item, score: scoreOf(item) }))
    .filter(({ score }) => score >= minShare)
    .sort((left, right) => right.score - left.score)
    .slice(0, limit)
    .map(({ item, score }) => ({ ...pieceOf(item), score }))
}

/** With fewer terms the entry is about something else. */
const minShare = 0.5

function shareOf(terms: readonly string[], text: string): number {
  if (terms.length === 0) return 0
  const termsInText = new Set(termsOf(text))
  return terms.filter((term) => termsInText.has(term)).length / terms.length
}
