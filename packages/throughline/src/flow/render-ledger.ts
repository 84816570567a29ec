/**
 * The ledger as text, within its share: grouped, each entry with what it is, its state, and
 * the places where it stands. The most salient first; what finds no room stays in the rows.
 */
import type { Seq } from '../domain/ids.ts'
import type { Ledger, LedgerEntry } from '../domain/ledger.ts'
import { type EntryText, entryText } from './entry-text.ts'
import { rootOf } from './file-root.ts'
import { ledgerPage } from './ledger-page.ts'
import { mergeFiles } from './merge-files.ts'
import { placeLabels } from './place-labels.ts'
import { bindingOf, saidEntries } from './said-entries.ts'
import { salienceOf } from './salience.ts'

export interface RenderedLedger {
  readonly text: string
  readonly shown: number
  readonly entries: number
}

export interface RenderOptions {
  readonly characters: number
  /** How much of that is for what users said that binds, before anything else. */
  readonly saidCharacters?: number
  /** Names that stand beside it anyway … */
  readonly shownNames?: ReadonlySet<string>
  /** … and messages. */
  readonly shownPlaces?: ReadonlySet<Seq>
}

export function renderLedger(ledger: Ledger, options: RenderOptions): RenderedLedger {
  const { characters, saidCharacters = 0, shownNames, shownPlaces } = options
  const root = rootOf(ledger.entries)
  const isShown = ({ value, label, sources }: LedgerEntry) =>
    (value === '' && shownNames?.has(label) === true) ||
    (shownPlaces !== undefined && sources.every((seq) => shownPlaces.has(seq)))
  const current = ledger.entries.filter(
    // What has no name but white space says nothing.
    (entry) => entry.status === 'current' && entry.label.trim() !== '' && !isShown(entry),
  )
  const page = ledgerPage(root)
  const entries = mergeFiles(current, root)
  const labels = placeLabels(entries)
  const shown = new Set<LedgerEntry>()
  let used = 0
  const addUpTo = (most: number, entry: LedgerEntry, told: EntryText) => {
    const cost = page.costOf(told)
    if (shown.has(entry) || used + cost > most) return
    page.add(told)
    shown.add(entry)
    used += cost
  }
  for (const entry of saidEntries(entries)) {
    const share = bindingOf(entry) >= bindsFirmly ? firmShare : 0
    const most = Math.min(characters, Math.max(saidCharacters, characters * share))
    addUpTo(most, entry, entryText(entry, labels))
  }
  for (const { entry, told } of ranked(entries, labels, ledger.to)) {
    if (characters - used < leastCharacters) break
    addUpTo(characters, entry, told)
  }
  return { text: page.text(), shown: shown.size, entries: ledger.entries.length }
}

// A rule of a user comes before any name, as long as names have room too.
const bindsFirmly = 4
const firmShare = 0.5

const leastCharacters = 12

interface Ranked {
  readonly entry: LedgerEntry
  readonly told: EntryText
  readonly worth: number
}

function ranked(
  entries: readonly LedgerEntry[],
  labels: ReadonlyMap<Seq, string>,
  at: number,
): readonly Ranked[] {
  const all = entries.map((entry) => ({ entry, told: entryText(entry, labels) }))
  const sharing = new Map<string, number>()
  for (const { told } of all) sharing.set(told.line, (sharing.get(told.line) ?? 0) + 1)
  return all
    .map(({ entry, told }) => {
      const line = Math.min(aloneCharacters, told.line.length / (sharing.get(told.line) ?? 1))
      const cost = told.text.length + betweenCharacters + line
      return { entry, told, worth: salienceOf(entry, at) / cost ** costPower }
    })
    .sort((left, right) => right.worth - left.worth || compare(left.entry, right.entry))
}

// An anchor of its own.
const aloneCharacters = 6
// About what stands between two.
const betweenCharacters = 2
// Short entries are worth more, but not so much more that only names are left.
const costPower = 0.9

function compare(left: LedgerEntry, right: LedgerEntry): number {
  if (left.kind !== right.kind) return left.kind < right.kind ? -1 : 1
  return left.key < right.key ? -1 : left.key > right.key ? 1 : 0
}
