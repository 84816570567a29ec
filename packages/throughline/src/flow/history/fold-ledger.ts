/** Folds facts into the ledger in log order; whether in one go or in several makes no difference. */
import type { Fact, FactTrust, Ledger, LedgerEntry, MessageFacts } from '../../domain/ledger.ts'
import { failureKey, offerValue } from '../../extract/message-facts.ts'
import { answeredIn } from '../../extract/offers.ts'
import { oneLine } from '../../extract/one-line.ts'
import { searchedTerms } from '../../extract/terms.ts'
import { getOrMake } from '../text/bounded-cache.ts'
import { firmBinding } from './ledger-data.ts'
import { bindingOf, nthLargest, salienceAt } from './rank-entries.ts'

/** More entries are never shown; the least salient are dropped, and their rows still have them. */
const maxEntries = 3_000
const entriesAfterDrop = 2_400
const maxSources = 8

type OpenEntry = {
  -readonly [Field in Exclude<keyof LedgerEntry, 'counts'>]: LedgerEntry[Field]
} & {
  sources: number[]
  uses: Record<FactTrust, number>
  /** A map once it grows: an object would already have names such as `constructor`. */
  counts: Map<string, number> | LedgerEntry['counts']
}

/** Entries that no new fact names stay the same objects, because a compaction names few. */
export function foldLedger(before: Ledger, rows: Iterable<MessageFacts>, to: number): Ledger {
  const entries: Entries = { byName: takeEntries(before), opened: new Set() }
  for (const row of rows) {
    for (const fact of answerFacts(entries, row) ?? row.facts) fold(entries, fact, row)
    const retractions = row.facts.filter(({ value }) => value === 'retraction')
    for (const fact of retractions.slice(0, maxRetractions)) retractBy(entries, fact, row)
    if (entries.byName.size > maxEntries) dropLeastSalient(entries, row.seq)
  }
  for (const entry of entries.opened)
    if (entry.counts instanceof Map) entry.counts = Object.fromEntries(entry.counts)
  // Cast: no entry grows any more.
  const closed = entries.byName as Map<string, LedgerEntry>
  const ledger: Ledger = { ...before, to, entries: [...closed.values()] }
  foldedEntries.set(ledger, closed)
  return ledger
}

/**
 * A short answer says little without what it answers, so its statements become one entry with that.
 * Null for other messages.
 */
function answerFacts(entries: Entries, row: MessageFacts): readonly Fact[] | null {
  const { seq, trust, digest, facts } = row
  if (trust !== 'user' || digest?.by !== 'user' || digest.text.length > answerCharacters)
    return null
  const about = digest.about ?? offerNote(entries, seq, digest.text)
  if (about === null) return null
  const isStatement = (fact: Fact) => bindingOf({ ...fact, trust }) > 0
  const [firmest] = facts
    .filter(isStatement)
    .sort((one, other) => bindingOf({ ...other, trust }) - bindingOf({ ...one, trust }))
  const isFirm = firmest !== undefined && bindingOf({ ...firmest, trust }) >= firmBinding
  const { kind, value } = isFirm ? firmest : { kind: 'decision' as const, value: 'answer' }
  // A rule says enough alone.
  const isRule = isFirm && (kind === 'constraint' || kind === 'preference')
  if (isRule) return null
  const label = `${oneLine(digest.text)} [${about}]`
  const answer = { kind, key: label.toLowerCase(), label, value, uses: 1 }
  return [...facts.filter((fact) => !isStatement(fact)), answer]
}

const answerCharacters = 200

function offerNote(entries: Entries, seq: number, text: string): string | null {
  const offer = entries.byName.get(`question ${offerValue}`)
  // Only the message right after it answers.
  const answered = offer?.lastSeq === seq - 1 ? answeredIn(text, offer.label) : null
  return answered === null ? null : `answer to: ${answered}`
}

/** A statement that withdraws another retracts the earlier one of the user that has most of its words. */
function retractBy(entries: Entries, { label }: Fact, { seq, trust }: MessageFacts): void {
  if (trust !== 'user') return
  const words = new Set(searchedTerms(label))
  let best: { readonly name: string; readonly shared: number } | null = null
  for (const [name, entry] of entries.byName) {
    const isEarlier = entry.status === 'current' && entry.lastSeq < seq
    if (!isEarlier || bindingOf(entry) < firmBinding) continue
    const { label } = entry
    const { terms } = getOrMake(
      termsByEntry,
      entry,
      () => ({ label, terms: searchedTerms(withoutNote(label)) }),
      (known) => known.label === label,
    )
    const shared = terms.filter((term) => words.has(term)).length
    const isAlike = shared > 0 && shared >= terms.length * minSharedTerms
    if (isAlike && shared >= (best?.shared ?? 0)) best = { name, shared }
  }
  const entry = best === null ? undefined : entries.byName.get(best.name)
  if (best !== null && entry !== undefined)
    openEntry(entries, best.name, entry).status = 'retracted'
}

function withoutNote(label: string): string {
  const at = label.endsWith(']') ? label.lastIndexOf(' [') : -1
  return at < 0 ? label : label.slice(0, at)
}

const minSharedTerms = 0.6
// Each compares with all entries; no person withdraws more at once.
const maxRetractions = 8
const termsByEntry = new WeakMap<
  LedgerEntry | OpenEntry,
  { readonly label: string; readonly terms: readonly string[] }
>()

/** Entries that the new facts name are open; the others are unchanged. */
interface Entries {
  readonly byName: Map<string, LedgerEntry | OpenEntry>
  readonly opened: Set<OpenEntry>
}

function isOpen({ opened }: Entries, entry: LedgerEntry | OpenEntry): entry is OpenEntry {
  // Cast: only an open entry is in the set.
  return opened.has(entry as OpenEntry)
}

// Each compaction continues the ledger of the one before, so its map is taken over, not copied.
const foldedEntries = new WeakMap<Ledger, Map<string, LedgerEntry>>()

function takeEntries(ledger: Ledger): Map<string, LedgerEntry> {
  const nameOf = ({ kind, key }: LedgerEntry) => `${kind} ${key}`
  const known = foldedEntries.get(ledger)
  foldedEntries.delete(ledger)
  return known ?? new Map(ledger.entries.map((entry) => [nameOf(entry), entry]))
}

function openEntry(entries: Entries, name: string, entry: LedgerEntry | OpenEntry): OpenEntry {
  if (isOpen(entries, entry)) return entry
  const opened = { ...entry, sources: [...entry.sources], uses: { ...entry.uses } }
  entries.byName.set(name, opened)
  entries.opened.add(opened)
  return opened
}

/** How often each operation was done, to add to. */
function growingCounts(entry: OpenEntry): Map<string, number> {
  const counts = entry.counts instanceof Map ? entry.counts : new Map(Object.entries(entry.counts))
  entry.counts = counts
  return counts
}

function fold(entries: Entries, fact: Fact, { seq, trust }: MessageFacts): void {
  const name = `${fact.kind} ${fact.key}`
  const before = entries.byName.get(name)
  const entry = before === undefined ? newEntry(fact, trust) : openEntry(entries, name, before)
  // The map keeps the order of use: the entry that was named last comes last.
  if (before !== undefined) entries.byName.delete(name)
  else entries.opened.add(entry)
  entries.byName.set(name, entry)
  entry.uses[trust] += 1
  entry.namedBy = trust
  entry.lastSeq = seq
  addSource(entry, fact, seq, before !== undefined)
  if (fact.value === '') return
  if (fact.kind === 'file') {
    const counts = growingCounts(entry)
    counts.set(fact.value, (counts.get(fact.value) ?? 0) + 1)
  }
  // Otherwise a value from a tool, repeated by the assistant, would replace the user's.
  const isOutranked = entry.value !== '' && entry.trust === 'user' && trust !== 'user'
  if (!isOutranked) {
    entry.value = fact.value
    if (before === undefined || !isStepById(fact)) entry.label = fact.label
    entry.status = 'current'
    entry.trust = trust
  }
  const settledKey = settledFailure(fact, (did) => growingCounts(entry).get(did) ?? 0)
  const failure = settledKey === null ? undefined : entries.byName.get(`failure ${settledKey}`)
  if (failure !== undefined && failure.status !== 'retracted')
    openEntry(entries, `failure ${settledKey}`, failure).status = 'retracted'
}

/** A step of a plan whose text an earlier call has. */
function isStepById({ kind, key, label }: Fact): boolean {
  return kind === 'plan' && label === key
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
    counts: noCounts,
  }
}

const noCounts: LedgerEntry['counts'] = Object.freeze({})

/** Drops the least salient entries; of equally salient ones, those that were named longest ago. */
function dropLeastSalient(entries: Entries, at: number): void {
  const names = [...entries.byName.keys()]
  const saliences = new Float64Array(names.length)
  const salienceOf = salienceAt(at)
  let place = 0
  for (const entry of entries.byName.values()) {
    saliences[place] = salienceOf(entry)
    place += 1
  }
  const least = nthLargest(saliences, entriesAfterDrop) ?? 0
  let equal = entriesAfterDrop
  for (const salience of saliences) if (salience > least) equal -= 1
  for (let index = names.length - 1; index >= 0; index -= 1) {
    const salience = saliences[index] ?? 0
    if (salience > least) continue
    if (salience === least && equal > 0) equal -= 1
    else entries.byName.delete(names[index] ?? '')
  }
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
