/** Renders the ledger within its share, most salient entries first; stored rows keep the rest. */
import type { Seq } from '../../domain/ids.ts'
import type { FactKind, Ledger, LedgerEntry } from '../../domain/ledger.ts'
import { oneLine } from '../../extract/one-line.ts'
import { noFiles, type RenderedFiles } from '../files/render-files.ts'
import { getOrMake } from '../text/bounded-cache.ts'
import { cutText } from '../text/excerpt.ts'
import { type EntryText, entryText, isMention, ledgerPage } from './ledger-page.ts'
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
  const { root, best, othersWithin } = getOrMake(
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
  const add = ({ entry, rendered }: Pick<RenderedEntry, 'entry' | 'rendered'>, room: number) => {
    // An entry costs at least its text: most entries do not fit, and need no exact measure.
    if (rendered.text.length > room || shown.has(entry) || isShown(entry)) return
    const cost = page.addWithin(rendered, room)
    if (cost === null) return
    shown.add(entry)
    used += cost
  }
  const addFrom = (entries: readonly RenderedEntry[]) => {
    for (const each of entries) {
      if (characters - used < minEntryCharacters) return
      add(each, characters - used)
    }
  }
  const { planWithin, runs } = partsOf(ledger)
  const stateCharacters = Math.max(0, characters - leastForNames) * stateShare
  const plan = planWithin(stateCharacters)
  for (const entry of [...(plan === null ? [] : [plan]), ...runs]) {
    const room = Math.min(characters, stateCharacters * 2) - used
    add({ entry, rendered: entryText(entry, noLabels) }, room)
  }
  addFrom(best)
  if (characters - used >= minEntryCharacters) addFrom(othersWithin(characters - used))
  return { text: page.text(), shown: shown.size, entries: ledger.entries.length }
}

/** What the plan and the last runs may have each: the state of the work in a few words. */
const stateShare = 0.06
/** In the smallest contexts, names say more. */
const leastForNames = 1_500
const noLabels: ReadonlyMap<Seq, string> = new Map()

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
  const anchorsOf = anchorsBelow(root, holders)
  const all = entries.map((entry) =>
    renderEntry(entry, labels, entry.kind === 'file' ? anchorsOf(entry.label) : undefined),
  )
  return { root, holders, ...ranked(all, ledger.to) }
}

/** Of a file by its label: where its text is. */
function anchorsBelow(root: string, holders: RenderedFiles['holders']) {
  const byLabel = new Map(holders)
  for (const [path, anchors] of holders)
    if (path.startsWith(root)) byLabel.set(path.slice(root.length), anchors)
  return (label: string) => byLabel.get(label)
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
  const label = isMention(entry) ? (labels.get(entry.sources.at(-1) ?? 0) ?? '') : ''
  const known = renderedEntries.get(entry)
  if (known !== undefined && known.label === label && isSame(known.anchors, anchors)) return known
  const made = { entry, label, anchors, rendered: entryText(entry, labels, anchors) }
  renderedEntries.set(entry, made)
  return made
}

function isSame(one: readonly string[] | undefined, other: readonly string[] | undefined): boolean {
  return one === other || String(one) === String(other)
}

/** Sorts the best entries first: most contexts have no room for others. */
function ranked(all: readonly RenderedEntry[], at: number) {
  const entriesInLine = new Map<string, number>()
  for (const { rendered } of all)
    entriesInLine.set(rendered.line, (entriesInLine.get(rendered.line) ?? 0) + 1)
  const salienceOf = salienceAt(at)
  const worths = new Float64Array(all.length)
  for (const [index, { entry, rendered }] of all.entries()) {
    const lineShare = rendered.line.length / (entriesInLine.get(rendered.line) ?? 1)
    const cost = rendered.text.length + separatorCharacters + Math.min(anchorLength, lineShare)
    worths[index] = salienceOf(entry) / cost
  }
  const leastOfBest = nthLargest(worths, bestEntries) ?? 0
  const sorted = (isWanted: (worth: number, entry: RenderedEntry) => boolean) => {
    const rated: Rated[] = []
    for (const [index, entry] of all.entries()) {
      const worth = worths[index] ?? 0
      if (isWanted(worth, entry)) rated.push({ ...entry, worth })
    }
    return rated.sort(compareRated)
  }
  let others: { readonly characters: number; readonly sorted: readonly Rated[] } | null = null
  return {
    best: sorted((worth) => worth >= leastOfBest),
    /** The others whose text has at most so many characters, and perhaps longer ones. */
    othersWithin: (characters: number): readonly RenderedEntry[] => {
      if (others === null || others.characters < characters) {
        const isOther = (worth: number, { rendered }: RenderedEntry) =>
          worth < leastOfBest && rendered.text.length <= characters
        others = { characters, sorted: sorted(isOther) }
      }
      return others.sorted
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

/** Of the messages whose names are listed: what happened there. */
function placeLabels(entries: readonly LedgerEntry[]): ReadonlyMap<Seq, string> {
  const places = new Set<Seq>()
  for (const entry of entries) if (isMention(entry)) places.add(entry.sources.at(-1) ?? 0)
  const found = new Map<Seq, { readonly rank: number; readonly label: string }>()
  for (const entry of entries) {
    const rank = entry.value === '' ? -1 : kinds.indexOf(entry.kind)
    if (rank === -1) continue
    for (const seq of entry.sources) {
      if (!places.has(seq)) continue
      const label = shortLabel(entry)
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
