/**
 * The ledger as text, within its share: grouped, each entry with what it is, its state, and
 * the places where it stands. The most salient first; what finds no room stays in the rows.
 */
import type { Ledger, LedgerEntry } from '../domain/ledger.ts'
import { type EntryText, entryText } from './entry-text.ts'
import { rootOf } from './file-root.ts'
import { ledgerPage } from './ledger-page.ts'
import { mergeFiles } from './merge-files.ts'
import { placeLabels } from './place-labels.ts'
import { salienceOf } from './salience.ts'

export interface RenderedLedger {
  readonly text: string
  readonly shown: number
  readonly entries: number
}

export function renderLedger(
  ledger: Ledger,
  charactersMax: number,
  /** Names that stand beside it anyway. */
  shownNames: ReadonlySet<string> = new Set(),
): RenderedLedger {
  const root = rootOf(ledger.entries)
  const current = ledger.entries.filter(
    ({ status, label, value }) =>
      // What has no name but white space says nothing.
      status === 'current' && label.trim() !== '' && (value !== '' || !shownNames.has(label)),
  )
  const page = ledgerPage(root)
  let left = charactersMax
  let shown = 0
  const entries = mergeFiles(current, root)
  for (const { told } of ranked(entries, ledger.to)) {
    if (left < leastCharacters) break
    const cost = page.costOf(told)
    if (cost > left) continue
    page.add(told)
    left -= cost
    shown += 1
  }
  return { text: page.text(), shown, entries: ledger.entries.length }
}

const leastCharacters = 12

interface Ranked {
  readonly entry: LedgerEntry
  readonly told: EntryText
  readonly worth: number
}

function ranked(entries: readonly LedgerEntry[], at: number): readonly Ranked[] {
  const labels = placeLabels(entries)
  return entries
    .map((entry) => {
      const told = entryText(entry, labels)
      const cost = told.text.length + sharedCharacters
      return { entry, told, worth: salienceOf(entry, at) / cost ** costPower }
    })
    .sort((left, right) => right.worth - left.worth || compare(left.entry, right.entry))
}

// About what an entry has of its line and of what stands between two.
const sharedCharacters = 3
// Short entries are worth more, but not so much more that only names are left.
const costPower = 0.8

function compare(left: LedgerEntry, right: LedgerEntry): number {
  if (left.kind !== right.kind) return left.kind < right.kind ? -1 : 1
  return left.key < right.key ? -1 : left.key > right.key ? 1 : 0
}
