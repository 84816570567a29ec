/** Builds the text of the ledger entry by entry; the size of each is known before it is added. */
import type { Seq } from '../../domain/ids.ts'
import type { FactKind, LedgerEntry } from '../../domain/ledger.ts'
import { oneLine } from '../../extract/one-line.ts'
import { getOrMake } from '../text/bounded-cache.ts'
import { cutText } from '../text/excerpt.ts'
import {
  mentions,
  type SectionName,
  sectionNames,
  sectionOf,
  sectionsWithLines,
} from './ledger-data.ts'

export function ledgerPage(root: string) {
  const sections = new Map<SectionName, Map<string, readonly EntryText[]>>()
  const headOf = (section: SectionName) => {
    return `${section === 'Files' ? filesTitle(root) : section}${sectionsWithLines.has(section) ? ':\n' : ': '}`
  }
  return {
    /** Returns the characters that the text grows by; null if the entry does not fit. */
    addWithin: (entry: EntryText, maxCharacters: number): number | null => {
      const { section, line } = entry
      const lines = sections.get(section)
      const before = lines?.get(line) ?? []
      const entries = [...before, entry]
      // A line end comes before all but the first line of the text.
      const head = lines === undefined ? headOf(section).length + (sections.size === 0 ? 0 : 1) : 0
      const cost = lineLength(entries) - lineLength(before) + head
      if (cost > maxCharacters) return null
      getOrMake(sections, section, () => new Map<string, readonly EntryText[]>()).set(line, entries)
      return cost
    },
    text: () =>
      sectionNames
        .flatMap((section) => {
          const lines = sections.get(section)
          return lines === undefined ? [] : [`${headOf(section)}${linesText(section, lines)}`]
        })
        .join('\n'),
  }
}

/** Explains the paths and the anchors once, since each entry would repeat it. */
function filesTitle(root: string): string {
  return `Files${root === '' ? '' : ` (relative to ${root})`} and their messages`
}

/** Few names in a message need only its anchor; many need to say what the message is. */
const minLabelledNames = 8

/** How entries that share a line are written. */
function lineParts(entries: readonly EntryText[]) {
  const { section = mentions, line = '', seq = 0 } = entries[0] ?? {}
  const isBare = section === mentions && entries.length < minLabelledNames
  return {
    start: isBare ? `#${seq} ` : line,
    separator: section === mentions ? ' ' : entrySeparator,
  }
}

function lineLength(entries: readonly EntryText[]): number {
  if (entries.length === 0) return 0
  const { start, separator } = lineParts(entries)
  // The last entry has a line end instead of a separator.
  const ends = separator.length * (entries.length - 1) + 1
  return entries.reduce((sum, { text }) => sum + text.length, start.length + ends)
}

const entrySeparator = ' · '

function linesText(section: SectionName, lines: ReadonlyMap<string, readonly EntryText[]>): string {
  // Lines that begin with an anchor are in the order of the log.
  const placeOf = (line: string) => Number.parseInt(line.slice(1), 10)
  // Relative paths follow the root in the heading; absolute ones come after them.
  const isOutside = (line: string) => Number(line.startsWith('/'))
  const rankOf = section === 'Files' ? isOutside : placeOf
  const inOrder = [...lines].sort(([left], [right]) => rankOf(left) - rankOf(right))
  return inOrder
    .map(([, entries]) => {
      const { start, separator } = lineParts(entries)
      return `${start}${entries.map(({ text }) => text).join(separator)}`
    })
    .join('\n')
}

export interface EntryText {
  readonly seq: Seq
  readonly section: SectionName
  readonly line: string
  readonly text: string
}

/** The labels describe the messages that mention the names. */
export function entryText(
  entry: LedgerEntry,
  labels: ReadonlyMap<Seq, string>,
  /** Where the text of a file is; otherwise any message about it may have the needed lines. */
  anchors?: readonly string[],
): EntryText {
  const { kind } = entry
  const whole = replaceSeparators(entry.label)
  // Rules and names are useless when cut; other labels say most at their beginning.
  const label = cutKinds.has(kind) ? cutText(whole, labelCharacters) : whole
  const section = isMention(entry) ? mentions : (sectionOf[kind] ?? mentions)
  const seq = entry.sources.at(-1) ?? 0
  // Mere mentions share the anchor of their message.
  if (section === mentions) {
    const about = labels.get(seq) ?? (entry.namedBy === 'user' ? 'user' : '')
    return { seq, section, line: about === '' ? `#${seq} ` : `#${seq} ${about}: `, text: label }
  }
  const newest = entry.sources.slice(kind === 'file' ? -maxFileAnchors : -1)
  const places = anchors ?? newest.map((seq) => `#${seq}`)
  const state = [stateOf(entry), ...places.map((anchor) => ` ${anchor}`)].join('')
  if (section !== 'Files') return { seq, section, line: '', text: `${label}${state}` }
  // Files of one folder share its name.
  const at = label.lastIndexOf('/') + 1
  const line = at === 0 ? '' : `${label.slice(0, at)} `
  return { seq, section, line, text: `${label.slice(at)}${state}` }
}

/** A name in the list of names by message. */
export function isMention({ kind, value }: LedgerEntry): boolean {
  return value === '' || sectionOf[kind] === undefined
}

/** Replaces our separator and whatever looks like one of our anchors. */
function replaceSeparators(text: string): string {
  return oneLine(text)
    .replaceAll('·', '‧')
    .replace(/(^| )#(?=\d)/g, (_, before: string) => `${before}no. `)
}

const cutKinds: ReadonlySet<FactKind> = new Set(['command', 'failure', 'use'])
const labelCharacters = 240

function stateOf({ kind, value, counts }: LedgerEntry): string {
  switch (kind) {
    case 'file': {
      // That a search found a file says little once it was opened.
      const isOpened = Object.keys(counts).some((did) => did !== 'found')
      const done = Object.entries(counts)
        .filter(([did]) => !isOpened || did !== 'found')
        .map(([did, times]) => `${inBrackets(did)}${times === 1 ? '' : ` ×${times}`}`)
      return done.length === 0 ? '' : ` ${replaceSeparators(done.join(', '))}`
    }
    case 'command':
    case 'use':
    case 'failure':
      return ` (${cutText(replaceSeparators(value), labelCharacters)})`
    default:
      return ''
  }
}

/** `edited (failed)`: a comma would make it two actions of a list. */
function inBrackets(did: string): string {
  return did.replace(/, (\w+)$/, ' ($1)')
}

const maxFileAnchors = 3
