/**
 * The fold from facts to the ledger: message by message, in the order of the log. Pure, so
 * that folding on from any place gives what folding everything gives.
 */
import type { Fact, FactTrust, MessageFacts } from '../domain/fact.ts'
import type { Ledger, LedgerEntry } from '../domain/ledger.ts'

/** More are never shown; the least salient make room, and stay in the rows of their messages. */
const entriesMax = 6_000
const entriesAfterwards = 5_000
const sourcesMax = 8

interface Folding {
  readonly key: string
  readonly kind: Fact['kind']
  label: string
  value: string
  status: LedgerEntry['status']
  trust: FactTrust
  sources: number[]
  uses: Record<FactTrust, number>
  counts: Record<string, number>
}

export function foldLedger(before: Ledger, rows: Iterable<MessageFacts>, to: number): Ledger {
  const entries = new Map<string, Folding>(
    before.entries.map((entry) => [`${entry.kind} ${entry.key}`, unfrozen(entry)]),
  )
  for (const row of rows) {
    for (const fact of row.facts) fold(entries, fact, row)
    if (entries.size > entriesMax) makeRoom(entries, row.seq)
  }
  return { to, entries: [...entries.values()] }
}

function unfrozen(entry: LedgerEntry): Folding {
  return {
    ...entry,
    sources: [...entry.sources],
    uses: { ...entry.uses },
    counts: { ...entry.counts },
  }
}

function fold(entries: Map<string, Folding>, fact: Fact, { seq, trust }: MessageFacts): void {
  const name = `${fact.kind} ${fact.key}`
  const known = entries.get(name)
  const entry = known ?? begun(fact, trust)
  // What was named last stands last: the order of the map is the order of use.
  if (known !== undefined) entries.delete(name)
  entries.set(name, entry)
  entry.uses[trust] += 1
  if (entry.sources.at(-1) !== seq) entry.sources.push(seq)
  if (entry.sources.length > sourcesMax) entry.sources.shift()
  if (fact.value === '') return
  if (fact.kind === 'file') entry.counts[fact.value] = (entry.counts[fact.value] ?? 0) + 1
  entry.value = fact.value
  entry.label = fact.label
  entry.status = 'current'
  if (rank[trust] > rank[entry.trust]) entry.trust = trust
  if (fact.kind === 'command' || fact.kind === 'use') settle(entries, fact)
}

const rank: Readonly<Record<FactTrust, number>> = { tool: 0, assistant: 1, user: 2 }

/** A failure is one until the same thing goes well. */
function settle(entries: Map<string, Folding>, { label, value }: Fact): void {
  const failure = entries.get(`failure ${label}`)
  if (failure !== undefined && /^(?:ok|exit 0)/.test(value)) failure.status = 'retracted'
}

function begun({ key, kind, label, value }: Fact, trust: FactTrust): Folding {
  return {
    key,
    kind,
    label,
    value,
    status: 'current',
    trust,
    sources: [],
    uses: { user: 0, assistant: 0, tool: 0 },
    counts: {},
  }
}

function makeRoom(entries: Map<string, Folding>, at: number): void {
  const ranked = [...entries].sort(
    ([, left], [, right]) => salienceOf(right, at) - salienceOf(left, at),
  )
  for (const [name] of ranked.slice(entriesAfterwards)) entries.delete(name)
}

/** How much an entry would be missed: who names it, how often, how lately, and what it is. */
export function salienceOf(
  entry: Pick<LedgerEntry, 'kind' | 'uses' | 'sources' | 'value'>,
  at: number,
): number {
  const { user, assistant, tool } = entry.uses
  const used = 2 * Math.log1p(assistant + user * 2) + Math.log1p(user + assistant + tool)
  const last = entry.sources.at(-1) ?? 0
  const lately = Math.exp(-(at - last) / Math.max(1, at * fading))
  return used * lately * weight[entry.kind] * (entry.value === '' ? 1 : toldWeight)
}

const fading = 0.5
const toldWeight = 1.5

/** What has a name of its own in the narrative, or can be had again, gives way first. */
const weight: Readonly<Record<Fact['kind'], number>> = {
  constraint: 0.5,
  preference: 0.5,
  correction: 0.5,
  decision: 0.4,
  task: 0.5,
  question: 0.3,
  file: 1.5,
  command: 0.4,
  failure: 1,
  use: 0.7,
  address: 1,
  symbol: 1,
  hash: 1,
  id: 1.2,
  version: 1,
  number: 0.6,
  amount: 1,
  date: 1,
  name: 0.8,
}
