/**
 * The one value of the sources that a value was meant to be. A letter that a model gets wrong
 * is mended; where two could be meant, or chance alone makes them alike, none is.
 */
import type { ExactValue, ExactValueKind } from './values.ts'

// Short values are alike by chance.
const leastCharacters = 7
const leastForTwo = 12

export function nearValue(
  value: ExactValue,
  sources: ReadonlyMap<ExactValueKind, ReadonlySet<string>>,
): string | null {
  const most = value.text.length < leastCharacters ? 0 : value.text.length < leastForTwo ? 1 : 2
  if (most === 0) return null
  let near: string | null = null
  for (const kind of kindsLike(value.kind))
    for (const candidate of sources.get(kind) ?? []) {
      if (candidate === value.text || candidate === near || !isWithin(value.text, candidate, 2))
        continue
      if (near !== null) return null
      near = candidate
    }
  if (near === null || !isWithin(value.text, near, most)) return null
  return isSlashed(value.kind) && digitsOf(near) !== digitsOf(value.text) ? null : near
}

function kindsLike(kind: ExactValueKind): readonly ExactValueKind[] {
  return kind === 'hash' || kind === 'id' || kind === 'number' ? ['hash', 'id', 'number'] : [kind]
}

function isSlashed(kind: ExactValueKind): boolean {
  return kind === 'path' || kind === 'url'
}

/** `step-1.ts` and `step-2.ts` are two files, however alike. */
function digitsOf(text: string): string {
  return text.replace(/\D+/g, '')
}

/** Whether so few letters are other, missing or too many. */
export function isWithin(one: string, other: string, most: number): boolean {
  if (Math.abs(one.length - other.length) > most) return false
  let from = 0
  while (from < one.length && from < other.length && one[from] === other[from]) from += 1
  let oneTo = one.length
  let otherTo = other.length
  while (oneTo > from && otherTo > from && one[oneTo - 1] === other[otherTo - 1]) {
    oneTo -= 1
    otherTo -= 1
  }
  return isWithinRest(one.slice(from, oneTo), other.slice(from, otherTo), most)
}

function isWithinRest(one: string, other: string, most: number): boolean {
  if (one === '' || other === '') return Math.max(one.length, other.length) <= most
  if (most === 0) return false
  return (
    isWithin(one.slice(1), other.slice(1), most - 1) ||
    isWithin(one.slice(1), other, most - 1) ||
    isWithin(one, other.slice(1), most - 1)
  )
}
