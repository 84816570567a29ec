/**
 * The text of the ledger as it grows; the size of an entry is known to the character before it is
 * added.
 */
import type { Seq } from '../../domain/ids.ts'
import type { FactKind, LedgerEntry } from '../../domain/ledger.ts'
import { oneLine } from '../../extract/one-line.ts'
import { getOrMake } from '../text/bounded-cache.ts'
import { cutText } from '../text/excerpt.ts'
import { hasLines, mentions, type SectionName, sectionNames, sectionOf } from './ledger-data.ts'

export function ledgerPage(root: string) {
  const sections = new Map<SectionName, Map<string, SharedLine>>()
  const headOf = (section: SectionName) => {
    const title = section === 'Files' && root !== '' ? `${section} in ${root}` : section
    return `${title}${hasLines.has(section) ? ':\n' : ': '}`
  }
  return {
    /** Whether the text grows by no more than so many characters; by how many it does, or null. */
    addWithin: (entry: EntryText, most: number): number | null => {
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
      if (cost > most) return null
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

interface SharedLine {
  readonly entries: readonly EntryText[]
  readonly asLine: number
  readonly alone: number
}

function between(section: SectionName): string {
  return section === mentions ? ' ' : betweenAlone
}

const betweenAlone = ' · '

function lengthAsLine(shared: SharedLine | undefined, { section, line, text }: EntryText): number {
  return shared === undefined
    ? line.length + text.length + 1
    : shared.asLine + between(section).length + text.length
}

function lengthAlone(shared: SharedLine | undefined, { alone }: EntryText): number {
  const length = (alone?.length ?? Number.POSITIVE_INFINITY) + betweenAlone.length
  return (shared?.alone ?? 0) + length
}

function linesText(section: SectionName, lines: ReadonlyMap<string, SharedLine>): string {
  // Lines that begin with an anchor are in the order of the log.
  const placeOf = (line: string) => Number.parseInt(line.slice(1), 10)
  const inOrder = [...lines]
  if (section !== 'Files') inOrder.sort(([left], [right]) => placeOf(left) - placeOf(right))
  const isLine = ({ asLine, alone }: SharedLine) => asLine <= alone
  const shared = inOrder
    .filter(([, line]) => isLine(line))
    .map(
      ([line, { entries }]) => `${line}${entries.map(({ text }) => text).join(between(section))}`,
    )
  const alone = inOrder
    .filter(([, line]) => !isLine(line))
    .flatMap(([, { entries }]) => entries.map((entry) => entry.alone ?? entry.text))
  return (alone.length === 0 ? shared : [...shared, alone.join(betweenAlone)]).join('\n')
}

export interface EntryText {
  readonly section: SectionName
  readonly line: string
  readonly text: string
  /** The entry without its line; null where it needs that. */
  readonly alone: string | null
}

/** The labels describe the messages that hold the names. */
export function entryText(entry: LedgerEntry, labels: ReadonlyMap<Seq, string>): EntryText {
  const { kind } = entry
  const whole = unmarked(entry.label)
  // A rule is shown whole, and half a name is useless; other labels say most in their beginning.
  const label = cutKinds.has(kind) ? cutText(whole, labelCharacters) : whole
  const section = entry.value === '' ? mentions : (sectionOf[kind] ?? mentions)
  // What is merely named shares the anchor of its message.
  if (section === mentions) {
    const seq = entry.sources.at(-1) ?? 0
    const line = `#${seq} ${labels.get(seq) ?? entry.namedBy}: `
    return { section, line, text: label, alone: `${label} #${seq}` }
  }
  // Files are opened again at any of their places; of other things the newest is enough.
  const places = entry.sources.slice(kind === 'file' ? -fileAnchors : -1)
  const state = [stateOf(entry), ...places.map((seq) => ` #${seq}`)].join('')
  if (section !== 'Files') return { section, line: '', text: `${label}${state}`, alone: null }
  // Files of one folder share its name.
  const at = label.lastIndexOf('/') + 1
  const line = at === 0 ? '' : `${label.slice(0, at)} `
  return { section, line, text: `${label.slice(at)}${state}`, alone: null }
}

/** Our separator, and what looks like an anchor of ours, are written in other signs. */
function unmarked(text: string): string {
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
        times === 1 ? did : `${did} ×${times}`,
      )
      return done.length === 0 ? '' : ` ${unmarked(done.join(', '))}`
    }
    case 'command':
    case 'use':
    case 'failure':
      return ` (${cutText(unmarked(value), labelCharacters)})`
    default:
      return ''
  }
}

const fileAnchors = 3
