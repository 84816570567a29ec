/** Facts, rows and ledgers for tests: in few words, and drawn at random. */
import fc from 'fast-check'
import {
  type Fact,
  type FactKind,
  type FactTrust,
  factKinds,
  type Ledger,
  type LedgerEntry,
  type MessageFacts,
} from '../../domain/ledger.ts'

export function fact(kind: FactKind, label: string, value = '', key = label): Fact {
  return { kind, key, label, value, uses: 1 }
}

export function row(seq: number, trust: FactTrust, ...facts: readonly Fact[]): MessageFacts {
  return { seq, trust, facts, digest: null }
}

export function digestRow(seq: number, by: FactTrust, text: string): MessageFacts {
  return { seq, trust: by, facts: [], digest: { by, text } }
}

export function entry(changes: Partial<LedgerEntry>): LedgerEntry {
  const { label = 'it' } = changes
  return {
    key: label,
    kind: 'file',
    label,
    value: 'read',
    status: 'current',
    trust: 'tool',
    namedBy: 'tool',
    sources: [1],
    lastSeq: (changes.sources ?? [1]).at(-1) ?? 0,
    uses: { user: 0, assistant: 1, tool: 1 },
    counts: { read: 1 },
    ...changes,
  }
}

export const anyTrust = fc.constantFrom<FactTrust>('user', 'assistant', 'tool')
const anyKind = fc.constantFrom(...factKinds)

// Names that objects have already, paths of several forms, and text that is hard to cut.
const hardNames = [
  '__proto__',
  'constructor',
  'toString',
  '$&',
  '🚀🚀',
  'é',
  '\ud83d',
  'a\nb',
  '#7',
]
const paths = ['/home/ada/app/src/a.ts', 'src/a.ts', './src/a.ts', '/home/ada/app/', '/a', 'b.ts']
const done = ['read', 'edited', 'edited, failed', 'ok', 'exit 0', 'exit 1', 'failed', '__proto__']

const anyLabel = fc.oneof(
  fc.constantFrom(...hardNames, ...paths, 'npm test', 'grep npm test'),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
  fc.string({ unit: 'grapheme', minLength: 200, maxLength: 400, size: 'max' }),
)
/** Few labels, so that many facts are of the same thing. */
const anyFewLabels = fc.constantFrom(...hardNames, ...paths, 'npm test', 'grep npm test')
const anyValue = fc.oneof(fc.constant(''), fc.constantFrom(...done))

const anyFact = fc
  .tuple(anyKind, anyFewLabels, anyValue)
  .map(([kind, label, value]) => fact(kind, label, value))

/** In the order of the log. */
export const anyRows = fc
  .array(fc.tuple(anyTrust, fc.array(anyFact, { maxLength: 6 })), { maxLength: 30, size: 'max' })
  .map((all) => all.map(([trust, facts], seq) => row(seq, trust, ...facts)))

const anyPlace = fc.oneof(fc.nat(30), fc.nat(2_000_000))

const anyEntry: fc.Arbitrary<LedgerEntry> = fc
  .record({
    kind: anyKind,
    label: anyLabel,
    value: anyValue,
    status: fc.constantFrom<LedgerEntry['status']>('current', 'current', 'retracted'),
    trust: anyTrust,
    namedBy: anyTrust,
    sources: fc.uniqueArray(anyPlace, { minLength: 1, maxLength: 8 }),
    uses: fc.record({ user: fc.nat(9), assistant: fc.nat(9), tool: fc.nat(99) }),
    counts: fc.array(fc.tuple(fc.constantFrom(...done), fc.integer({ min: 1, max: 99 }))),
  })
  .map(({ counts, sources, ...rest }) => ({
    ...rest,
    key: rest.label,
    sources: sources.sort((left, right) => left - right),
    lastSeq: Math.max(...sources),
    counts: rest.kind === 'file' && rest.value !== '' ? Object.fromEntries(counts) : {},
  }))

export const anyLedger: fc.Arbitrary<Ledger> = fc
  .uniqueArray(anyEntry, {
    maxLength: 60,
    size: 'max',
    selector: ({ kind, key }) => `${kind} ${key}`,
  })
  .map((entries) => ({ to: 2_000_001, entries }))
