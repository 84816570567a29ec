/** An entry of the ledger in words, and where in the text of the ledger it stands. */
import type { FactKind } from '../../domain/fact.ts'
import type { Seq } from '../../domain/ids.ts'
import type { LedgerEntry } from '../../domain/ledger.ts'
import { oneLine } from '../../extract/one-line.ts'
import { cutText } from '../text/excerpt.ts'

export interface EntryText {
  readonly section: SectionName
  /** What begins the line that it shares with others. */
  readonly line: string
  readonly text: string
  /** The entry without its line; null where it needs that. */
  readonly alone: string | null
}

/** In the order of the text. */
export const sectionNames = [
  'Said by the user',
  'Decided',
  'Failures not settled',
  'Files',
  'Commands',
  'Tools',
  'Addresses',
  'Names, by the message that has them',
] as const

export type SectionName = (typeof sectionNames)[number]

/** The labels say what the messages are that names stand in. */
export function entryText(entry: LedgerEntry, labels: ReadonlyMap<Seq, string>): EntryText {
  const label = labelOf(entry)
  const { kind } = entry
  const section = entry.value === '' ? mentions : sectionOf[kind]
  // What is merely named shares the anchor of its message.
  if (section === mentions) {
    const seq = entry.sources.at(-1) ?? 0
    const line = `#${seq} ${labels.get(seq) ?? entry.namedBy}: `
    return { section, line, text: label, alone: `${label} #${seq}` }
  }
  const told = `${stateOf(entry)}${anchorsOf(entry)}`
  if (section !== 'Files') return { section, line: '', text: `${label}${told}`, alone: null }
  // Files of one folder share its name.
  const at = label.lastIndexOf('/') + 1
  const folder = label.slice(0, at)
  return {
    section,
    line: at === 0 ? '' : `${folder} `,
    text: `${label.slice(at)}${told}`,
    alone: null,
  }
}

const mentions = 'Names, by the message that has them'

const sectionOf: Readonly<Record<FactKind, SectionName>> = {
  constraint: 'Said by the user',
  preference: 'Said by the user',
  correction: 'Said by the user',
  task: 'Said by the user',
  question: 'Said by the user',
  decision: 'Decided',
  failure: 'Failures not settled',
  file: 'Files',
  command: 'Commands',
  use: 'Tools',
  address: 'Addresses',
  symbol: mentions,
  hash: mentions,
  id: mentions,
  version: mentions,
  number: mentions,
  amount: mentions,
  date: mentions,
  name: mentions,
}

/** A rule is told whole, and half a name names nothing; the rest says most in its beginning. */
function labelOf({ kind, label }: LedgerEntry): string {
  const line = unmarked(label)
  return cutKinds.has(kind) ? cutText(line, labelCharacters) : line
}

/** What parts our entries, and what looks like an anchor of ours, is told in other signs. */
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
      const told = Object.entries(counts).map(([did, times]) =>
        times === 1 ? did : `${did} ×${times}`,
      )
      return told.length === 0 ? '' : ` ${unmarked(told.join(', '))}`
    }
    case 'command':
    case 'use':
    case 'failure':
      return ` (${cutText(unmarked(value), labelCharacters)})`
    default:
      return ''
  }
}

/** Files are opened again at any of their places; of other things the newest is enough. */
function anchorsOf({ kind, sources }: LedgerEntry): string {
  const shown = kind === 'file' ? sources.slice(-fileAnchors) : sources.slice(-1)
  return shown.map((seq) => ` #${seq}`).join('')
}

const fileAnchors = 3
