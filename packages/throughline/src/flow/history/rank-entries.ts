/** Ranks ledger entries. The user's binding statements do not fade: an old rule still applies. */
import type { LedgerEntry } from '../../domain/ledger.ts'
import { bindingByKind, bindingByValue, fading, weightByKind } from './ledger-data.ts'

/** 0 for everything that is not a statement of the user. */
export function bindingOf({
  kind,
  trust,
  value,
}: Pick<LedgerEntry, 'kind' | 'trust' | 'value'>): number {
  if (trust !== 'user') return 0
  return bindingByValue.get(value) ?? bindingByKind[kind] ?? 0
}

/** Statements are listed with the user's words, and a reply's decisions are in the ledger. */
export function isUtterance({ kind, trust }: Pick<LedgerEntry, 'kind' | 'trust'>): boolean {
  return kind in bindingByKind && (kind !== 'decision' || trust === 'user')
}

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
  const frequency = 2 * log1p(assistant + user * 2) + log1p(user + assistant + tool)
  const recency = Math.exp(-(at - entry.lastSeq) / Math.max(1, at * fading))
  return frequency * recency * (weightByKind[entry.kind] ?? 1)
}

/** Most counts are small, and thousands of entries are rated at once. */
const logarithms = Float64Array.from({ length: 256 }, (_, count) => Math.log1p(count))

function log1p(count: number): number {
  return logarithms[count] ?? Math.log1p(count)
}
