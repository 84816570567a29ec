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
  const sections = new Map<SectionName, Map<string, SharedLine>>()
  const headOf = (section: SectionName) => {
    return `${section === 'Files' ? filesTitle(root) : section}${sectionsWithLines.has(section) ? ':\n' : ': '}`
  }
  return {
    /** Returns the characters that the text grows by; null if the entry does not fit. */
    addWithin: (entry: EntryText, maxCharacters: number): number | null => {
      const { section, line } = entry
      const lines = sections.get(section)
      const shared = lines?.get(line)
      const entries = [...(shared?.entries ?? []), entry]
      const grown = {
        entries,
        asLine: lengthAsLine(shared, entry),
        alone: lengthAlone(shared, entry),
      }
      const before = shared === undefined ? 0 : Math.min(shared.asLine, shared.alone)
      // A line end comes before all but the first line of the text.
      const head = lines === undefined ? headOf(section).length + (sections.size === 0 ? 0 : 1) : 0
      const cost = Math.min(grown.asLine, grown.alone) - before + head
      if (cost > maxCharacters) return null
      getOrMake(sections, section, () => new Map<string, SharedLine>()).set(line, grown)
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
  return `Files${root === '' ? '' : ` (relative to ${root})`} and their last messages`
}

interface SharedLine {
  readonly entries: readonly EntryText[]
  /** The characters of the entries if they share the line, and if each is written alone. */
  readonly asLine: number
  readonly alone: number
}

function separatorIn({ section }: Pick<EntryText, 'section'>): string {
  return section === mentions ? ' ' : entrySeparator
}

const entrySeparator = ' · '

function lengthAsLine(shared: SharedLine | undefined, entry: EntryText): number {
  const { line, text } = entry
  return shared === undefined
    ? line.length + text.length + 1
    : shared.asLine + separatorIn(entry).length + text.length
}

function lengthAlone(shared: SharedLine | undefined, { alone }: EntryText): number {
  const length = (alone?.length ?? Number.POSITIVE_INFINITY) + entrySeparator.length
  return (shared?.alone ?? 0) + length
}

function linesText(section: SectionName, lines: ReadonlyMap<string, SharedLine>): string {
  // Lines that begin with an anchor are in the order of the log.
  const placeOf = (line: string) => Number.parseInt(line.slice(1), 10)
  // Relative paths follow the root in the heading; absolute ones come after them.
  const isOutside = (line: string) => Number(line.startsWith('/'))
  const rankOf = section === 'Files' ? isOutside : placeOf
  const inOrder = [...lines].sort(([left], [right]) => rankOf(left) - rankOf(right))
  const isLine = ({ asLine, alone }: SharedLine) => asLine <= alone
  const shared = inOrder
    .filter(([, line]) => isLine(line))
    .map(
      ([line, { entries }]) =>
        `${line}${entries.map(({ text }) => text).join(separatorIn({ section }))}`,
    )
  const alone = inOrder
    .filter(([, line]) => !isLine(line))
    .flatMap(([, { entries }]) => entries.map((entry) => entry.alone ?? entry.text))
  return (alone.length === 0 ? shared : [...shared, alone.join(entrySeparator)]).join('\n')
}

export interface EntryText {
  readonly seq: Seq
  readonly section: SectionName
  readonly line: string
  readonly text: string
  /** The entry without its line; null if it needs the line. */
  readonly alone: string | null
}

/** The labels describe the messages that mention the names. */
export function entryText(entry: LedgerEntry, labels: ReadonlyMap<Seq, string>): EntryText {
  const { kind } = entry
  const whole = replaceSeparators(entry.label)
  // Rules and names are useless when cut; other labels say most at their beginning.
  const label = cutKinds.has(kind) ? cutText(whole, labelCharacters) : whole
  const section = entry.value === '' ? mentions : (sectionOf[kind] ?? mentions)
  const seq = entry.sources.at(-1) ?? 0
  // Mere mentions share the anchor of their message.
  if (section === mentions) {
    const line = `#${seq} ${labels.get(seq) ?? entry.namedBy}: `
    return { seq, section, line, text: label, alone: `${label} #${seq}` }
  }
  // Any message about a file may have the needed lines; other entries need only their newest.
  const places = entry.sources.slice(kind === 'file' ? -maxFileAnchors : -1)
  const state = [stateOf(entry), ...places.map((seq) => ` #${seq}`)].join('')
  if (section !== 'Files') return { seq, section, line: '', text: `${label}${state}`, alone: null }
  // Files of one folder share its name.
  const at = label.lastIndexOf('/') + 1
  const line = at === 0 ? '' : `${label.slice(0, at)} `
  return { seq, section, line, text: `${label.slice(at)}${state}`, alone: null }
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
      const done = Object.entries(counts).map(([did, times]) =>
        times === 1 ? inBrackets(did) : `${inBrackets(did)} ×${times}`,
      )
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
  return did.replace(/, failed$/, ' (failed)')
}

const maxFileAnchors = 3
