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

type RatedEntry = Pick<LedgerEntry, 'kind' | 'uses' | 'lastSeq' | 'value' | 'trust'>

/** Rates entries by who names them, how often, how recently, and by their kind. */
export function salienceAt(at: number): (entry: RatedEntry) => number {
  const scale = Math.max(1, at * fading)
  // Entries are in the order of their last use, so neighbours mostly have one place.
  let [knownSeq, recency] = [Number.NaN, 0]
  return (entry) => {
    const binding = bindingOf(entry)
    if (binding > 0) return binding
    const { user, assistant, tool } = entry.uses
    const frequency = 2 * log1p(assistant + user * 2) + log1p(user + assistant + tool)
    if (entry.lastSeq !== knownSeq) {
      knownSeq = entry.lastSeq
      recency = Math.exp(-(at - knownSeq) / scale)
    }
    return frequency * recency * (weightByKind[entry.kind] ?? 1)
  }
}

/** The value at that place in descending order, from 1; found without sorting the others. */
export function nthLargest(values: Float64Array, place: number): number | undefined {
  const open = values.slice()
  const wanted = open.length - place
  let [from, to] = [0, open.length - 1]
  while (from < to) {
    const pivot = open[(from + to) >> 1] ?? 0
    let [left, right] = [from, to]
    while (left <= right) {
      while ((open[left] ?? 0) < pivot) left += 1
      while ((open[right] ?? 0) > pivot) right -= 1
      if (left > right) break
      const value = open[left] ?? 0
      open[left] = open[right] ?? 0
      open[right] = value
      left += 1
      right -= 1
    }
    if (wanted <= right) to = right
    else if (wanted >= left) from = left
    else break
  }
  return open[wanted]
}

/** Most counts are small, and thousands of entries are rated at once. */
const logarithms = Float64Array.from({ length: 256 }, (_, count) => Math.log1p(count))

function log1p(count: number): number {
  return logarithms[count] ?? Math.log1p(count)
}
