/**
 * Folds facts into the ledger in log order. Folding on from any place gives what folding
 * everything gives.
 */
import type { Fact, FactTrust, Ledger, LedgerEntry, MessageFacts } from '../../domain/ledger.ts'
import { failureKey } from '../../extract/message-facts.ts'
import { salienceOf } from './rank-entries.ts'

/** More are never shown; the least salient make room, and stay in the rows of their messages. */
const entriesMax = 3_000
const entriesAfterwards = 2_400
const sourcesMax = 8

type Folding = { -readonly [Field in Exclude<keyof LedgerEntry, 'counts'>]: LedgerEntry[Field] } & {
  sources: number[]
  uses: Record<FactTrust, number>
  /** No object as long as it grows: a name that every object has would count as known. */
  counts: Map<string, number>
}

/** What is not named again is the same entry as before: a compaction names few of them. */
export function foldLedger(before: Ledger, rows: Iterable<MessageFacts>, to: number): Ledger {
  const entries: Entries = new Map(byName(before))
  for (const row of rows) {
    for (const fact of row.facts) fold(entries, fact, row)
    if (entries.size > entriesMax) makeRoom(entries, row.seq)
  }
  const folded = new Map(
    [...entries].map(([name, entry]) => [name, isOpen(entry) ? frozen(entry) : entry]),
  )
  const ledger: Ledger = { to, entries: [...folded.values()] }
  known.set(ledger, folded)
  return ledger
}

/** Those that were named are open, the others as they were. */
type Entries = Map<string, LedgerEntry | Folding>

function isOpen(entry: LedgerEntry | Folding): entry is Folding {
  return entry.counts instanceof Map
}

// A ledger is folded on from compaction to compaction.
const known = new WeakMap<Ledger, ReadonlyMap<string, LedgerEntry>>()

function byName(ledger: Ledger): ReadonlyMap<string, LedgerEntry> {
  const nameOf = ({ kind, key }: LedgerEntry) => `${kind} ${key}`
  return known.get(ledger) ?? new Map(ledger.entries.map((entry) => [nameOf(entry), entry]))
}

function opened(entry: LedgerEntry | Folding): Folding {
  if (isOpen(entry)) return entry
  return {
    ...entry,
    sources: [...entry.sources],
    uses: { ...entry.uses },
    counts: new Map(Object.entries(entry.counts)),
  }
}

function frozen(entry: Folding): LedgerEntry {
  return { ...entry, counts: Object.fromEntries(entry.counts) }
}

function fold(entries: Entries, fact: Fact, { seq, trust }: MessageFacts): void {
  const name = `${fact.kind} ${fact.key}`
  const before = entries.get(name)
  const entry = before === undefined ? begun(fact, trust) : opened(before)
  // What was named last comes last: the order of the map is the order of use.
  if (before !== undefined) entries.delete(name)
  entries.set(name, entry)
  entry.uses[trust] += 1
  entry.namedBy = trust
  entry.lastSeq = seq
  noteSource(entry, fact, seq, before !== undefined)
  if (fact.value === '') return
  if (fact.kind === 'file') entry.counts.set(fact.value, (entry.counts.get(fact.value) ?? 0) + 1)
  // Otherwise a tool's word, repeated by the assistant, would replace the user's.
  const isOutranked = entry.value !== '' && entry.trust === 'user' && trust !== 'user'
  if (!isOutranked) {
    entry.value = fact.value
    entry.label = fact.label
    entry.status = 'current'
    entry.trust = trust
  }
  const settled = settledFailure(fact, (did) => entry.counts.get(did) ?? 0)
  const failure = settled === null ? undefined : entries.get(`failure ${settled}`)
  if (failure !== undefined && failure.status !== 'retracted')
    entries.set(`failure ${settled}`, { ...opened(failure), status: 'retracted' })
}

/** A place that merely names it leads nowhere, once there is one that describes it. */
function noteSource(entry: Folding, { value }: Fact, seq: number, isKnown: boolean): void {
  const wasTold = isKnown && entry.value !== ''
  if (value === '' && wasTold) return
  if (value !== '' && !wasTold) entry.sources = []
  if (entry.sources.at(-1) !== seq) entry.sources.push(seq)
  if (entry.sources.length > sourcesMax) entry.sources.shift()
}

function begun({ key, kind, label, value }: Fact, trust: FactTrust): Folding {
  return {
    ...{ key, kind, label, value, status: 'current', trust, namedBy: trust },
    ...{ sources: [], lastSeq: 0 },
    uses: { user: 0, assistant: 0, tool: 0 },
    counts: new Map(),
  }
}

/** Of those that weigh the same, what was named longest ago goes. */
function makeRoom(entries: Entries, at: number): void {
  const ranked = [...entries]
    .map(([name, entry]) => ({ name, salience: salienceOf(entry, at) }))
    .reverse()
    .sort((left, right) => right.salience - left.salience)
  for (const { name } of ranked.slice(entriesAfterwards)) entries.delete(name)
}

/** The key of the failure that a fact settles, since the same thing went well; null where nothing did. */
function settledFailure(
  { kind, label, value }: Fact,
  timesDone: (did: string) => number,
): string | null {
  switch (kind) {
    case 'command':
      return wentWell(value) ? failureKey(label) : null
    case 'use':
      // The label is the tool and what it was used on; a failure is known by the latter alone.
      return wentWell(value) ? label.slice(label.indexOf(' ') + 1) : null
    case 'file':
      // That a file can be read does not settle that it could not be edited.
      return timesDone(`${value}, failed`) > 0 ? label : null
    default:
      return null
  }
}

function wentWell(value: string): boolean {
  return (
    /^(?:ok|exit 0|nothing found|\d{1,15} (?:match|matches|line|lines))\b/.test(value) &&
    !/ [1-9]\d{0,15} failed\b/.test(value)
  )
}
