/** Ranks ledger entries. The user's binding statements do not fade: an old rule still applies. */
import type { LedgerEntry } from '../../domain/ledger.ts'
import {
  bindingByKind,
  bindingByValue,
  describedWeight,
  fading,
  weightByKind,
} from './ledger-data.ts'

/** 0 for everything that is not a statement of the user. */
export function bindingOf({
  kind,
  trust,
  value,
}: Pick<LedgerEntry, 'kind' | 'trust' | 'value'>): number {
  if (trust !== 'user') return 0
  return bindingByValue.get(value) ?? bindingByKind[kind] ?? 0
}

/** Most binding first, then shorter first. A sentence that recurs often is a habit, not a rule. */
export function bindingEntries(entries: readonly LedgerEntry[]): readonly LedgerEntry[] {
  const binding = entries.filter((entry) => entry.status === 'current' && bindingOf(entry) > 0)
  const byForm = Map.groupBy(binding, ({ label }) => label.replace(/\d+/g, '0'))
  return [...byForm.values()]
    .flatMap((alike) => {
      const divisor = Math.max(1, alike.length - maxRuleTimes + 1)
      return alike.map((entry) => ({ entry, worth: bindingOf(entry) / divisor }))
    })
    .sort(
      (left, right) =>
        right.worth - left.worth ||
        left.entry.label.length - right.entry.label.length ||
        compareText(left.entry.key, right.entry.key) ||
        compareText(left.entry.kind, right.entry.kind),
    )
    .map(({ entry }) => entry)
}

/** A sentence may recur this often before it counts as a habit. */
const maxRuleTimes = 3

export function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}

/** Depends on who names the entry, how often, how recently, and on its kind. */
export function salienceOf(
  entry: Pick<LedgerEntry, 'kind' | 'uses' | 'lastSeq' | 'value' | 'trust'>,
  at: number,
): number {
  const binding = bindingOf(entry)
  if (binding > 0) return binding
  const { user, assistant, tool } = entry.uses
  const frequency = 2 * Math.log1p(assistant + user * 2) + Math.log1p(user + assistant + tool)
  const recency = Math.exp(-(at - entry.lastSeq) / Math.max(1, at * fading))
  const valueWeight = entry.value === '' ? 1 : describedWeight
  return frequency * recency * (weightByKind[entry.kind] ?? 1) * valueWeight
}
