/**
 * Of identifiers that overlap, one stays: the one of a form over one that is only quoted or
 * written in capitals, then the longest, then the most specific.
 */
import type { Identifier, IdentifierKind } from './identifier.ts'

export function resolved(found: readonly Identifier[]): readonly Identifier[] {
  if (found.length < 2) return found
  const result: Identifier[] = []
  for (const candidate of found.toSorted((one, other) => one.at - other.at)) {
    const last = result.at(-1)
    if (last === undefined || candidate.at >= last.at + last.text.length) result.push(candidate)
    else if (isBetter(candidate, last)) result[result.length - 1] = candidate
  }
  return result
}

function isBetter(one: Identifier, other: Identifier): boolean {
  const [isOneFormed, isOtherFormed] = [isFormed(one), isFormed(other)]
  if (isOneFormed !== isOtherFormed) return isOneFormed
  if (one.text.length !== other.text.length) return one.text.length > other.text.length
  return specificity[one.kind] > specificity[other.kind]
}

/** A number says too little to win over the name that it stands in. */
function isFormed({ kind }: Identifier): boolean {
  return kind !== 'quoted' && kind !== 'name' && kind !== 'number'
}

const specificity: Readonly<Record<IdentifierKind, number>> = {
  url: 16,
  email: 15,
  uuid: 14,
  date: 13,
  time: 12,
  version: 11,
  amount: 10,
  path: 9,
  id: 8,
  hash: 7,
  file: 6,
  symbol: 5,
  host: 4,
  number: 3,
  name: 2,
  quoted: 1,
}
