/** Renders the ledger within its share, most salient entries first; stored rows keep the rest. */
import type { Seq } from '../../domain/ids.ts'
import type { FactKind, Ledger, LedgerEntry } from '../../domain/ledger.ts'
import { oneLine } from '../../extract/one-line.ts'
import { noFiles, type RenderedFiles } from '../files/render-files.ts'
import { getOrMake } from '../text/bounded-cache.ts'
import { cutText } from '../text/excerpt.ts'
import { type EntryText, entryText, ledgerPage } from './ledger-page.ts'
import { isName, type LedgerParts, partsOf, separatorCharacters } from './ledger-parts.ts'
import { mergeFiles, rootOf } from './merge-files.ts'
import { compareText, nthLargest, salienceAt } from './rank-entries.ts'

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
    () => prepare(ledger, holders, characters),
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

/** The characters that the entries have together, about, up to a limit. */
export function expectedCharacters(ledger: Ledger, maxCharacters: number): number {
  let characters = 0
  for (const { label } of partsOf(ledger).listed) {
    if (characters >= maxCharacters) return maxCharacters
    characters += label.length + expectedFrame
  }
  return Math.min(characters, maxCharacters)
}

/** The anchor and separator of an entry. */
const expectedFrame = 6

interface RenderedEntry {
  readonly entry: LedgerEntry
  /** Describes the message of the entry. */
  readonly label: string
  readonly anchors: readonly string[] | undefined
  readonly rendered: EntryText
}

// One ledger is rendered in several sizes until one fits.
const prepared = new WeakMap<Ledger, ReturnType<typeof prepare>>()

/** All entries but the user's statements that can be among the best, most salient first. */
function prepare(ledger: Ledger, holders: RenderedFiles['holders'], characters: number) {
  const parts = partsOf(ledger)
  const root = rootOf(parts.files)
  const entries = mergeFiles(withoutRareNames(parts, characters), root)
  const labels = placeLabels(entries)
  const all = entries.map((entry) => {
    const isFile = entry.kind === 'file'
    const anchors = isFile
      ? (holders.get(root + entry.label) ?? holders.get(entry.label))
      : undefined
    return renderEntry(entry, labels, anchors)
  })
  return { root, holders, all: ranked(all, ledger.to) }
}

/** Most names have no room whatever they cost: only the others are rendered and rated exactly. */
function withoutRareNames(
  { listed, nameWorths }: LedgerParts,
  characters: number,
): readonly LedgerEntry[] {
  const maxNames = Math.max(minRatedNames, Math.ceil(characters / charactersPerName))
  if (nameWorths.length <= maxNames) return listed
  const least = nthLargest(nameWorths, maxNames) ?? 0
  let name = -1
  return listed.filter((entry) => {
    if (!isName(entry)) return true
    name += 1
    return (nameWorths[name] ?? 0) >= least
  })
}

/** A name with its separator has more. */
const charactersPerName = 5
const minRatedNames = 300

const minEntryCharacters = 12

// Most entries are the same from one ledger to the next, and so are their texts.
const renderedEntries = new WeakMap<LedgerEntry, RenderedEntry>()

function renderEntry(
  entry: LedgerEntry,
  labels: ReadonlyMap<Seq, string>,
  anchors?: readonly string[],
): RenderedEntry {
  const label = labels.get(entry.sources.at(-1) ?? 0) ?? ''
  const known = renderedEntries.get(entry)
  if (known !== undefined && known.label === label && String(known.anchors) === String(anchors))
    return known
  const made = { entry, label, anchors, rendered: entryText(entry, labels, anchors) }
  renderedEntries.set(entry, made)
  return made
}

/** Sorts the best entries first: most contexts have no room for others. */
function ranked(all: readonly RenderedEntry[], at: number): Iterable<RenderedEntry> {
  const entriesInLine = new Map<string, number>()
  for (const { rendered } of all)
    entriesInLine.set(rendered.line, (entriesInLine.get(rendered.line) ?? 0) + 1)
  const salienceOf = salienceAt(at)
  const worths = Float64Array.from(all, ({ entry, rendered }) => {
    const lineShare = rendered.line.length / (entriesInLine.get(rendered.line) ?? 1)
    const cost = rendered.text.length + separatorCharacters + Math.min(anchorLength, lineShare)
    return salienceOf(entry) / cost
  })
  const leastOfBest = nthLargest(worths, bestEntries) ?? 0
  const sorted = (isWanted: (worth: number) => boolean) => {
    const rated: Rated[] = []
    for (const [index, entry] of all.entries()) {
      const worth = worths[index] ?? 0
      if (isWanted(worth)) rated.push({ ...entry, worth })
    }
    return rated.sort(compareRated)
  }
  const best = sorted((worth) => worth >= leastOfBest)
  let others: readonly Rated[] | null = null
  return {
    *[Symbol.iterator]() {
      yield* best
      others ??= sorted((worth) => worth < leastOfBest)
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
