/** Folds facts into the ledger in log order; whether in one go or in several makes no difference. */
import type { Fact, FactTrust, Ledger, LedgerEntry, MessageFacts } from '../../domain/ledger.ts'
import { failureKey } from '../../extract/message-facts.ts'
import { salienceOf } from './rank-entries.ts'

/** More entries are never shown; the least salient are dropped, and their rows still have them. */
const maxEntries = 3_000
const entriesAfterDrop = 2_400
const maxSources = 8

type OpenEntry = {
  -readonly [Field in Exclude<keyof LedgerEntry, 'counts'>]: LedgerEntry[Field]
} & {
  sources: number[]
  uses: Record<FactTrust, number>
  /** A map while it grows: an object would already have names such as `constructor`. */
  counts: Map<string, number>
}

/** Entries that no new fact names stay the same objects, because a compaction names few. */
export function foldLedger(before: Ledger, rows: Iterable<MessageFacts>, to: number): Ledger {
  const entries: Entries = new Map(entriesByName(before))
  for (const row of rows) {
    for (const fact of row.facts) fold(entries, fact, row)
    if (entries.size > maxEntries) dropLeastSalient(entries, row.seq)
  }
  for (const [name, entry] of entries) if (isOpen(entry)) entries.set(name, closeEntry(entry))
  // Cast: no entry is open any more.
  const closed = entries as Map<string, LedgerEntry>
  const ledger: Ledger = { to, entries: [...closed.values()] }
  foldedEntries.set(ledger, closed)
  return ledger
}

/** Entries that the new facts name are open; the others are unchanged. */
type Entries = Map<string, LedgerEntry | OpenEntry>

function isOpen(entry: LedgerEntry | OpenEntry): entry is OpenEntry {
  return entry.counts instanceof Map
}

// Each compaction continues the ledger of the one before.
const foldedEntries = new WeakMap<Ledger, ReadonlyMap<string, LedgerEntry>>()

function entriesByName(ledger: Ledger): ReadonlyMap<string, LedgerEntry> {
  const nameOf = ({ kind, key }: LedgerEntry) => `${kind} ${key}`
  return foldedEntries.get(ledger) ?? new Map(ledger.entries.map((entry) => [nameOf(entry), entry]))
}

function openEntry(entry: LedgerEntry | OpenEntry): OpenEntry {
  if (isOpen(entry)) return entry
  return {
    ...entry,
    sources: [...entry.sources],
    uses: { ...entry.uses },
    counts: new Map(Object.entries(entry.counts)),
  }
}

function closeEntry(entry: OpenEntry): LedgerEntry {
  return { ...entry, counts: Object.fromEntries(entry.counts) }
}

function fold(entries: Entries, fact: Fact, { seq, trust }: MessageFacts): void {
  const name = `${fact.kind} ${fact.key}`
  const before = entries.get(name)
  const entry = before === undefined ? newEntry(fact, trust) : openEntry(before)
  // The map keeps the order of use: the entry that was named last comes last.
  if (before !== undefined) entries.delete(name)
  entries.set(name, entry)
  entry.uses[trust] += 1
  entry.namedBy = trust
  entry.lastSeq = seq
  addSource(entry, fact, seq, before !== undefined)
  if (fact.value === '') return
  if (fact.kind === 'file') entry.counts.set(fact.value, (entry.counts.get(fact.value) ?? 0) + 1)
  // Otherwise a value from a tool, repeated by the assistant, would replace the user's.
  const isOutranked = entry.value !== '' && entry.trust === 'user' && trust !== 'user'
  if (!isOutranked) {
    entry.value = fact.value
    entry.label = fact.label
    entry.status = 'current'
    entry.trust = trust
  }
  const settledKey = settledFailure(fact, (did) => entry.counts.get(did) ?? 0)
  const failure = settledKey === null ? undefined : entries.get(`failure ${settledKey}`)
  if (failure !== undefined && failure.status !== 'retracted')
    entries.set(`failure ${settledKey}`, { ...openEntry(failure), status: 'retracted' })
}

/** Once a message describes the entry, messages that only name it are no sources. */
function addSource(entry: OpenEntry, { value }: Fact, seq: number, isKnown: boolean): void {
  const hadValue = isKnown && entry.value !== ''
  if (value === '' && hadValue) return
  if (value !== '' && !hadValue) entry.sources = []
  if (entry.sources.at(-1) !== seq) entry.sources.push(seq)
  if (entry.sources.length > maxSources) entry.sources.shift()
}

function newEntry({ key, kind, label, value }: Fact, trust: FactTrust): OpenEntry {
  return {
    key,
    kind,
    label,
    value,
    status: 'current',
    trust,
    namedBy: trust,
    sources: [],
    lastSeq: 0,
    uses: { user: 0, assistant: 0, tool: 0 },
    counts: new Map(),
  }
}

/** Drops the least salient entries; of equally salient ones, those that were named longest ago. */
function dropLeastSalient(entries: Entries, at: number): void {
  const ranked = [...entries]
    .map(([name, entry]) => ({ name, salience: salienceOf(entry, at) }))
    .reverse()
    .sort((left, right) => right.salience - left.salience)
  for (const { name } of ranked.slice(entriesAfterDrop)) entries.delete(name)
}

/** The key of the failure that a later success settles; null if it settles none. */
function settledFailure({ kind, label, value }: Fact, timesDone: (did: string) => number) {
  switch (kind) {
    case 'command':
      return succeeded(value) ? failureKey(label) : null
    case 'use':
      // The label is the tool and its subject; the key of a failure is the subject alone.
      return succeeded(value) ? label.slice(label.indexOf(' ') + 1) : null
    case 'file':
      // A successful read does not settle a failed edit.
      return timesDone(`${value}, failed`) > 0 ? label : null
    default:
      return null
  }
}

function succeeded(value: string): boolean {
  return (
    /^(?:ok|exit 0|nothing found|\d{1,15} (?:match|matches|line|lines))\b/.test(value) &&
    !/ [1-9]\d{0,15} failed\b/.test(value)
  )
}
