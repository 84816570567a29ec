/** Renders the ledger within its share, most salient entries first; stored rows keep the rest. */
import type { Seq } from '../../domain/ids.ts'
import type { FactKind, Ledger, LedgerEntry } from '../../domain/ledger.ts'
import { oneLine } from '../../extract/one-line.ts'
import { noFiles, type RenderedFiles } from '../files/render-files.ts'
import { getOrMake } from '../text/bounded-cache.ts'
import { cutText } from '../text/excerpt.ts'
import { type EntryText, entryText, ledgerPage } from './ledger-page.ts'
import { mergeFiles, rootOf } from './merge-files.ts'
import { compareText, isUtterance, salienceOf } from './rank-entries.ts'

export function renderLedger(
  ledger: Ledger,
  options: {
    readonly characters: number
    /** Whether a text elsewhere in the request has this name. */
    readonly isNamed?: (label: string) => boolean
    readonly shownPlaces?: ReadonlySet<Seq>
    readonly holders?: RenderedFiles['holders']
  },
) {
  const { characters, isNamed = () => false, shownPlaces } = options
  const { holders = noFiles.holders } = options
  const { root, all } = getOrMake(
    prepared,
    ledger,
    () => prepare(ledger, holders),
    (known) => known.holders === holders,
  )
  const isShown = ({ value, label, sources }: LedgerEntry) =>
    (value === '' && isNamed(label)) ||
    (shownPlaces !== undefined && sources.every((seq) => shownPlaces.has(seq)))
  const page = ledgerPage(root)
  const shown = new Set<LedgerEntry>()
  let used = 0
  for (const { entry, rendered } of all) {
    const room = characters - used
    if (room < minEntryCharacters) break
    // An entry costs at least its text: most entries do not fit, and need no exact measure.
    if (rendered.text.length > room || shown.has(entry) || isShown(entry)) continue
    const cost = page.addWithin(rendered, room)
    if (cost === null) continue
    shown.add(entry)
    used += cost
  }
  return { text: page.text(), shown: shown.size, entries: ledger.entries.length }
}

interface RenderedEntry {
  readonly entry: LedgerEntry
  /** Describes the message of the entry. */
  readonly label: string
  readonly anchors: readonly string[] | undefined
  readonly rendered: EntryText
}

// One ledger is rendered in several sizes until one fits.
const prepared = new WeakMap<Ledger, ReturnType<typeof prepare>>()

/** All entries but the user's statements, most salient first. */
function prepare(ledger: Ledger, holders: RenderedFiles['holders']) {
  const root = rootOf(ledger.entries)
  const current = ledger.entries.filter(
    (entry) => entry.status === 'current' && !isUtterance(entry) && isWorthNaming(entry),
  )
  const entries = mergeFiles(current, root)
  const labels = placeLabels(entries)
  const all = entries.map((entry) => {
    const anchors = holders.get(root + entry.label) ?? holders.get(entry.label)
    return renderEntry(entry, labels, entry.kind === 'file' ? anchors : undefined)
  })
  return { root, holders, all: ranked(all, ledger.to) }
}

/**
 * Blank labels say nothing. Capitalized words that only a model writes are mostly headings, and
 * numbers that only tools print are mostly sizes and times.
 */
function isWorthNaming({ kind, label, value, uses }: LedgerEntry): boolean {
  if (value === '' && uses.user === 0) {
    if (kind === 'name' && uses.assistant < minModelUses) return false
    if (kind === 'number' && uses.assistant === 0) return false
    if (label.length < minNameCharacters || passingPlace.test(label)) return false
  }
  return label.trim() !== ''
}

const minModelUses = 3
// Shorter ones are variables and units.
const minNameCharacters = 3
/** `line 39`, `Step 2`, `#3`: they count within one text, and say nothing outside of it. */
const passingPlace = /^(?:(?:line|step) ?#?|#)\d+$/i

const minEntryCharacters = 12

// Most entries are the same from one ledger to the next, and so are their texts.
const renderedEntries = new WeakMap<LedgerEntry, RenderedEntry>()

function renderEntry(
  entry: LedgerEntry,
  labels: ReadonlyMap<Seq, string>,
  anchors?: readonly string[],
): RenderedEntry {
  const label = labels.get(entry.sources.at(-1) ?? 0) ?? ''
  const render = () => ({ entry, label, anchors, rendered: entryText(entry, labels, anchors) })
  const isSame = (known: RenderedEntry) => known.label === label && known.anchors === anchors
  return getOrMake(renderedEntries, entry, render, isSame)
}

/** Sorts the best entries first: most contexts have no room for others. */
function ranked(all: readonly RenderedEntry[], at: number): Iterable<RenderedEntry> {
  const entriesInLine = new Map<string, number>()
  for (const { rendered } of all)
    entriesInLine.set(rendered.line, (entriesInLine.get(rendered.line) ?? 0) + 1)
  const rated = all.map((each) => {
    const { entry, rendered } = each
    const lineShare = rendered.line.length / (entriesInLine.get(rendered.line) ?? 1)
    const cost = rendered.text.length + separatorCharacters + Math.min(anchorLength, lineShare)
    return { ...each, worth: salienceOf(entry, at) / cost }
  })
  const worths = new Float64Array(rated.map(({ worth }) => worth)).sort()
  const leastOfBest = worths.at(-bestEntries) ?? 0
  const best = rated.filter(({ worth }) => worth >= leastOfBest).sort(compareRated)
  let others: typeof best | null = null
  return {
    *[Symbol.iterator]() {
      yield* best
      others ??= rated.filter(({ worth }) => worth < leastOfBest).sort(compareRated)
      yield* others
    },
  }
}

type Rated = RenderedEntry & { readonly worth: number }

function compareRated(left: Rated, right: Rated): number {
  return (
    right.worth - left.worth ||
    compareText(left.entry.kind, right.entry.kind) ||
    compareText(left.entry.key, right.entry.key)
  )
}

// A small window shows about 40 entries.
const bestEntries = 200
// An entry that does not share a line has its own anchor.
const anchorLength = 6
const separatorCharacters = 2

function placeLabels(entries: readonly LedgerEntry[]): ReadonlyMap<Seq, string> {
  const found = new Map<Seq, { readonly rank: number; readonly label: string }>()
  for (const entry of entries) {
    const rank = entry.value === '' ? -1 : kinds.indexOf(entry.kind)
    if (rank === -1) continue
    const label = shortLabel(entry)
    for (const seq of entry.sources) {
      const known = found.get(seq)
      // Alphabetical order makes the choice independent of the order of entries.
      const isBetter =
        known === undefined || rank < known.rank || (rank === known.rank && label < known.label)
      if (isBetter) found.set(seq, { rank, label })
    }
  }
  return new Map([...found].map(([seq, { label }]) => [seq, label]))
}

// An action describes a message better than a file that it mentions.
const kinds: readonly FactKind[] = ['command', 'use', 'file', 'address']
const labelCharacters = 28

function shortLabel({ kind, label }: LedgerEntry): string {
  const line = oneLine(label)
  if (kind !== 'file') return cutText(line, labelCharacters)
  return cutText(line.slice(line.lastIndexOf('/') + 1), labelCharacters)
}
