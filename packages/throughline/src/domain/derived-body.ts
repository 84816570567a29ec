/**
 * Writes and reads the bodies of derived rows, and checks their shape. Every message has a row of
 * facts, so facts and the ledger have a short form; other bodies are JSON of their type.
 */
import { type DerivedBodies, type DerivedKind, type DerivedRow, readValid } from './derived-row.ts'
import { shapes } from './derived-shapes-data.ts'
import type { Fact, FactKind, FactTrust, LedgerEntry } from './ledger.ts'
import { checkOf, type Shape } from './shape.ts'

export function encodeBody<Kind extends DerivedKind>(
  kind: Kind,
  body: DerivedBodies[Kind],
): string {
  if (kind === 'facts') return JSON.stringify(shortFacts(body as DerivedBodies['facts']))
  if (kind === 'ledger') return JSON.stringify(shortLedger(body as DerivedBodies['ledger']))
  return JSON.stringify(body)
}

export function bodyOf<Kind extends DerivedKind>(
  kind: Kind,
  { body }: Pick<DerivedRow, 'body'>,
): DerivedBodies[Kind] {
  return readValid<DerivedBodies[Kind]>(shapes[kind][0], checks[kind], () => {
    const value = JSON.parse(body)
    return kind === 'facts' ? longFacts(value) : kind === 'ledger' ? longLedger(value) : value
  })
}

// Thousands of rows share a shape, so its check is built once.
const checks = Object.fromEntries(
  Object.entries(shapes).map(([kind, [, shape]]) => [kind, checkOf(shape as Shape<unknown>)]),
) as Readonly<Record<DerivedKind, (value: unknown) => boolean>>

type Facts = DerivedBodies['facts']

/** Facts of one kind that follow each other share its name. */
type ShortFacts = readonly [
  trust: FactTrust,
  groups: readonly (readonly [kind: FactKind, ...facts: readonly ShortFact[]])[],
  /** A number: the text is the label of that fact. */
  digest: (Omit<NonNullable<Facts['digest']>, 'text'> & { readonly text: string | number }) | null,
  redacted?: number,
]

/** The subject alone where the rest says nothing. */
type ShortFact = string | readonly [subject: ShortSubject, uses: number, value?: string]
type ShortSubject = string | readonly [label: string, key?: string]

function shortFacts({ trust, facts, digest, redacted }: Facts): ShortFacts {
  const groups: [FactKind, ...ShortFact[]][] = []
  for (const { kind, uses, value, ...names } of facts) {
    const subject = shortSubject(names)
    const isMention = typeof subject === 'string' && uses === 1 && value === ''
    const short = isMention ? subject : ([subject, uses, ...(value ? [value] : [])] as const)
    const last = groups.at(-1)
    if (last?.[0] === kind) last.push(short as ShortFact)
    else groups.push([kind, short as ShortFact])
  }
  const labelled = digest === null ? -1 : facts.findIndex(({ label }) => label === digest.text)
  const short = digest && { ...digest, text: labelled === -1 ? digest.text : labelled }
  return redacted === undefined ? [trust, groups, short] : [trust, groups, short, redacted]
}

function longFacts([trust, groups, digest, redacted]: ShortFacts): Facts {
  const facts = groups.flatMap(([kind, ...shorts]) =>
    shorts.map((short): Fact => {
      const [subject, uses, value = ''] = typeof short === 'string' ? [short, 1] : short
      return { kind, ...longSubject(subject), value, uses }
    }),
  )
  const known = { trust, facts, ...(redacted !== undefined && { redacted }) }
  if (typeof digest?.text !== 'number') return { ...known, digest: digest as Facts['digest'] }
  return { ...known, digest: { ...digest, text: facts[digest.text]?.label as string } }
}

type Subject = Pick<Fact, 'key' | 'label'>

/** A key is the label, its lower case, or another text. */
function shortSubject({ key, label }: Subject): ShortSubject {
  if (key === label) return label
  return label.toLowerCase() === key ? [label] : [label, key]
}

function longSubject(short: ShortSubject): Subject {
  if (typeof short === 'string') return { key: short, label: short }
  const [label, key = label.toLowerCase()] = short
  return { key, label }
}

const trusts = ['user', 'assistant', 'tool'] as const
const statuses = ['current', 'retracted'] as const

type ShortLedger = readonly [to: number, entries: readonly ShortEntry[], from?: number]
type ShortEntry = readonly [
  kind: FactKind,
  subject: ShortSubject,
  value: string,
  statusAndTrusts: readonly [status: number, trust: number, namedBy: number],
  sources: readonly number[],
  lastSeq: number,
  uses: readonly number[],
  counts: LedgerEntry['counts'] | 0,
]

function shortLedger({ to, entries, from }: DerivedBodies['ledger']): ShortLedger {
  const short = entries.map(
    ({ kind, value, status, trust, namedBy, sources, lastSeq, uses, ...rest }): ShortEntry => [
      kind,
      shortSubject(rest),
      value,
      [statuses.indexOf(status), trusts.indexOf(trust), trusts.indexOf(namedBy)],
      sources,
      lastSeq,
      trusts.map((each) => uses[each]),
      Object.keys(rest.counts).length === 0 ? 0 : rest.counts,
    ],
  )
  return from === undefined ? [to, short] : [to, short, from]
}

function longLedger([to, entries, from]: ShortLedger): DerivedBodies['ledger'] {
  return {
    to,
    ...(from !== undefined && { from }),
    entries: entries.map(
      ([kind, subject, value, [status, trust, namedBy], sources, lastSeq, uses, counts]) => ({
        kind,
        ...longSubject(subject),
        value,
        // The check of the shape refuses what these lists do not have.
        status: statuses[status] as LedgerEntry['status'],
        trust: trusts[trust] as FactTrust,
        sources,
        lastSeq,
        namedBy: trusts[namedBy] as FactTrust,
        uses: { user: uses[0] ?? 0, assistant: uses[1] ?? 0, tool: uses[2] ?? 0 },
        counts: counts === 0 ? {} : counts,
      }),
    ),
  }
}
