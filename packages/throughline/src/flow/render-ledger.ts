/**
 * The ledger as text, within its share: grouped, each entry with what it is, its state, and
 * the places where it stands. The most salient first; what finds no room stays in the rows.
 */
import type { FactKind } from '../domain/fact.ts'
import type { Ledger, LedgerEntry } from '../domain/ledger.ts'
import { salienceOf } from './fold-ledger.ts'

export interface RenderedLedger {
  readonly text: string
  readonly shown: number
  readonly entries: number
}

const groups: readonly (readonly [string, readonly FactKind[]])[] = [
  ['Said by the user', ['constraint', 'preference', 'correction', 'task', 'question']],
  ['Decided', ['decision']],
  ['Failures not settled', ['failure']],
  ['Files', ['file']],
  ['Commands', ['command']],
  ['Tools', ['use']],
  ['Addresses', ['address']],
  ['Symbols', ['symbol']],
  ['Ids, hashes and versions', ['id', 'hash', 'version']],
  ['Numbers, amounts and dates', ['number', 'amount', 'date']],
  ['Names', ['name']],
]

export function renderLedger(ledger: Ledger, charactersMax: number): RenderedLedger {
  const root = rootOf(ledger.entries)
  const ranked = merged(
    ledger.entries.filter(({ status }) => status === 'current'),
    root,
  )
    .map((entry) => ({ entry, cost: costOf(entry) }))
    .map((one) => ({ ...one, worth: worthOf(one.entry, one.cost, ledger.to) }))
    .sort((left, right) => right.worth - left.worth || compare(left.entry, right.entry))
  const chosen: LedgerEntry[] = []
  let left = charactersMax - headCharacters - root.length
  for (const { entry, cost } of ranked) {
    if (left < leastCharacters) break
    if (cost > left) continue
    chosen.push(entry)
    left -= cost
  }
  return { text: textOf(chosen, root), shown: chosen.length, entries: ledger.entries.length }
}

// Titles of the groups.
const headCharacters = 160
const leastCharacters = 12

/** The folder that most files lie in: it is named once. */
export function rootOf(entries: readonly LedgerEntry[]): string {
  const counts = new Map<string, number>()
  let absolute = 0
  for (const { kind, label, value } of entries) {
    if (kind !== 'file' || !label.startsWith('/') || value === '') continue
    absolute += 1
    const folders = label.split('/').slice(1, -1)
    for (let depth = 2; depth <= Math.min(folders.length, 8); depth += 1) {
      const folder = `/${folders.slice(0, depth).join('/')}/`
      counts.set(folder, (counts.get(folder) ?? 0) + 1)
    }
  }
  const shared = [...counts].filter(([, times]) => times >= Math.max(2, absolute * rootShare))
  return shared.reduce(
    (longest, [folder]) => (folder.length > longest.length ? folder : longest),
    '',
  )
}

const rootShare = 0.7

/** The same file under two names is one entry. */
function merged(entries: readonly LedgerEntry[], root: string): readonly LedgerEntry[] {
  const files = new Map<string, LedgerEntry>()
  const others: LedgerEntry[] = []
  const bare = root.slice(1)
  for (const entry of entries) {
    if (entry.kind !== 'file') {
      others.push(entry)
      continue
    }
    const { label } = entry
    const short =
      root !== '' && label.startsWith(root)
        ? label.slice(root.length)
        : bare !== '' && label.startsWith(bare)
          ? label.slice(bare.length)
          : label
    if (short === '' || `${short}/` === bare) continue
    const known = files.get(short)
    files.set(
      short,
      known === undefined ? { ...entry, label: short, key: short } : joined(known, entry),
    )
  }
  const named = new Map([...files.values()].map((entry) => [nameOf(entry.label), entry]))
  return [
    ...[...files.values()].filter(({ label, value }) => {
      const whole = named.get(label)
      return value !== '' || whole === undefined || whole.label === label
    }),
    ...others,
  ]
}

function joined(one: LedgerEntry, other: LedgerEntry): LedgerEntry {
  const counts = { ...one.counts }
  for (const [did, times] of Object.entries(other.counts)) counts[did] = (counts[did] ?? 0) + times
  return {
    ...one,
    value: one.value === '' ? other.value : one.value,
    counts,
    sources: [...new Set([...one.sources, ...other.sources])].sort((left, right) => left - right),
    uses: {
      user: Math.max(one.uses.user, other.uses.user),
      assistant: Math.max(one.uses.assistant, other.uses.assistant),
      tool: Math.max(one.uses.tool, other.uses.tool),
    },
  }
}

function worthOf(entry: LedgerEntry, cost: number, at: number): number {
  return salienceOf(entry, at) / cost ** costPower
}

const costPower = 0.8

function compare(left: LedgerEntry, right: LedgerEntry): number {
  return left.key < right.key ? -1 : left.key > right.key ? 1 : 0
}

function costOf(entry: LedgerEntry): number {
  const { kind, label } = entry
  if (isMention(entry)) return label.length + 2
  const name = kind === 'file' ? nameOf(label) : label
  return name.length + stateOf(entry).length + anchorsOf(entry).length + 3
}

/** Named, and nothing told of it: such entries share the anchor of their message. */
function isMention({ kind, value }: LedgerEntry): boolean {
  return value === '' || mentionKinds.includes(kind)
}

const mentionKinds: readonly FactKind[] = [
  'symbol',
  'hash',
  'id',
  'version',
  'number',
  'amount',
  'date',
  'name',
]

function textOf(chosen: readonly LedgerEntry[], root: string): string {
  const told = chosen.filter((entry) => !isMention(entry))
  const mentions = chosen.filter(isMention)
  return [
    ...groups.flatMap(([title, kinds]) => {
      const entries = told.filter(({ kind }) => kinds.includes(kind))
      if (entries.length === 0) return []
      const named = title === 'Files' && root !== '' ? `${title} in ${root}` : title
      return [
        title === 'Files' ? `${named}:\n${filesText(entries)}` : `${named}: ${listText(entries)}`,
      ]
    }),
    ...(mentions.length === 0
      ? []
      : [`Names, by the message that has them:\n${mentionsText(mentions)}`]),
  ].join('\n')
}

function mentionsText(mentions: readonly LedgerEntry[]): string {
  const byPlace = Map.groupBy(mentions, ({ sources }) => sources.at(-1) ?? 0)
  return [...byPlace]
    .sort(([left], [right]) => left - right)
    .map(([seq, entries]) => `#${seq} ${entries.map(({ label }) => label).join(' ')}`)
    .join('\n')
}

function listText(entries: readonly LedgerEntry[]): string {
  return entries.map((entry) => `${entry.label}${stateOf(entry)}${anchorsOf(entry)}`).join(' · ')
}

/** Files of one folder share its name. */
function filesText(entries: readonly LedgerEntry[]): string {
  const byFolder = Map.groupBy(entries, ({ label }) => folderOf(label))
  return [...byFolder]
    .map(([folder, files]) => {
      const told = files.map(
        (entry) => `${nameOf(entry.label)}${stateOf(entry)}${anchorsOf(entry)}`,
      )
      return `${folder}${told.join(' · ')}`
    })
    .join('\n')
}

function folderOf(path: string): string {
  const at = path.lastIndexOf('/')
  return at <= 0 ? '' : `${path.slice(0, at + 1)} `
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function stateOf({ kind, value, counts, status }: LedgerEntry): string {
  if (kind === 'file') {
    const told = Object.entries(counts).map(([did, times]) =>
      times === 1 ? did : `${did} ×${times}`,
    )
    return told.length === 0 ? '' : ` ${told.join(', ')}`
  }
  if (status === 'retracted' || value === '') return ''
  if (kind === 'command' || kind === 'use' || kind === 'failure') return ` (${value})`
  return ''
}

/** Files are opened again at any of their places; of other things the newest is enough. */
function anchorsOf({ kind, sources }: LedgerEntry): string {
  const shown = kind === 'file' ? sources.slice(-fileAnchors) : sources.slice(-1)
  return shown.map((seq) => ` #${seq}`).join('')
}

const fileAnchors = 4
