/**
 * What users said that binds, as the ledger has it. It does not fade: a rule of the first
 * day holds on the last one, and nothing that came later tells that it was forgotten.
 */
import type { FactKind, LedgerEntry } from '../../domain/ledger.ts'

type Binding = Pick<LedgerEntry, 'kind' | 'trust' | 'value'>

/** Nought for what is no saying of a user. */
export function bindingOf({ kind, trust, value }: Binding): number {
  if (trust !== 'user') return 0
  return bindingBySaying.get(value) ?? bindingByKind[kind] ?? 0
}

const bindingBySaying: ReadonlyMap<string, number> = new Map([
  ['standing', 4],
  ['statement', 1],
])

const bindingByKind: Partial<Record<FactKind, number>> = {
  constraint: 6,
  correction: 5,
  preference: 5,
  decision: 3,
  task: 2,
  question: 0.5,
}

/**
 * The most binding first; of those that bind alike the shorter, so that more find room. A
 * form of words that comes again and again is how somebody talks, and no rule.
 */
export function bindingEntries(entries: readonly LedgerEntry[]): readonly LedgerEntry[] {
  const binding = entries.filter((entry) => entry.status === 'current' && bindingOf(entry) > 0)
  const times = new Map<string, number>()
  const forms = binding.map(({ label }) => formOf(label))
  for (const form of forms) times.set(form, (times.get(form) ?? 0) + 1)
  const worthOf = (entry: LedgerEntry, at: number) => {
    const usual = Math.max(1, (times.get(forms[at] ?? '') ?? 1) - usualTimes)
    return bindingOf(entry) / usual
  }
  return binding
    .map((entry, at) => ({ entry, worth: worthOf(entry, at) }))
    .sort(
      (left, right) =>
        right.worth - left.worth ||
        left.entry.label.length - right.entry.label.length ||
        compareText(left.entry.key, right.entry.key) ||
        compareText(left.entry.kind, right.entry.kind),
    )
    .map(({ entry }) => entry)
}

const usualTimes = 2

function formOf(label: string): string {
  return label.replace(/\d+/g, '0')
}

export function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}

/** By who names it, how often, how lately, and what it is. */
export function salienceOf(
  entry: Pick<LedgerEntry, 'kind' | 'uses' | 'lastSeq' | 'value' | 'trust'>,
  at: number,
): number {
  const binding = bindingOf(entry)
  if (binding > 0) return binding
  const { user, assistant, tool } = entry.uses
  const used = 2 * Math.log1p(assistant + user * 2) + Math.log1p(user + assistant + tool)
  const lately = Math.exp(-(at - entry.lastSeq) / Math.max(1, at * fading))
  return used * lately * (weight[entry.kind] ?? 1) * (entry.value === '' ? 1 : describedWeight)
}

const fading = 0.5
const describedWeight = 1.5

/** What has a name of its own in the narrative, or can be had again, gives way first. */
const weight: Partial<Record<FactKind, number>> = {
  ...{ constraint: 0.5, preference: 0.5, correction: 0.5, task: 0.5 },
  ...{ decision: 0.4, question: 0.3, command: 0.4, name: 0.4, number: 0.6, use: 0.7 },
  ...{ id: 1.2, file: 1.5 },
}
