/**
 * Exact values with one wrong character. The extractor, not the gate, decides which values a text has:
 * the gate must not choose its own test cases.
 */

import type { Random } from '../../harness/kernel/chance.ts'
import {
  type Literal,
  literalsInProse,
} from '../../packages/throughline/src/extract/literals/prose-literals.ts'

export interface Mutation {
  readonly kind: 'hash' | 'id' | 'long number' | 'path'
  readonly text: string
  readonly mutant: string
}

const timesEach = 10
const longDigits = 5

export function mutationsOf(text: string, random: Random): readonly Mutation[] {
  return literalsInProse(text).flatMap((identifier) => {
    const kind = mutated(identifier)
    return kind === null
      ? []
      : Array.from({ length: timesEach }, () =>
          mutation({ text, kind, identifier }, random),
        ).filter(
          // If the text also contains that value, nothing is wrong.
          ({ mutant }) => !text.includes(mutant),
        )
  })
}

function mutated({ kind, text }: Literal): Mutation['kind'] | null {
  if (kind === 'hash') return 'hash'
  if (kind === 'uuid' || (kind === 'id' && isJoined(text))) return 'id'
  if (kind === 'path' && /\/[^/]+\/?[^/]*[A-Za-z0-9]$/.test(text)) return 'path'
  return kind === 'number' && text.replace(/\D/g, '').length >= longDigits ? 'long number' : null
}

function mutation(
  {
    text,
    kind,
    identifier,
  }: { readonly text: string; readonly kind: Mutation['kind']; readonly identifier: Literal },
  random: Random,
): Mutation {
  const { text: value, at } = identifier
  const places = [...value].flatMap((letter, place) => (/[A-Za-z0-9]/.test(letter) ? [place] : []))
  const place = places[random(places.length)] ?? 0
  const mutant =
    value.slice(0, place) + otherThan(value[place] ?? '0', random) + value.slice(place + 1)
  return { kind, mutant, text: text.slice(0, at) + mutant + text.slice(at + value.length) }
}

/** Another character of the same kind, so that the value keeps its form. */
function otherThan(letter: string, random: Random): string {
  const sort = /\d/.test(letter)
    ? '0123456789'
    : /[a-f]/.test(letter)
      ? 'abcdef'
      : /[a-z]/.test(letter)
        ? 'ghijklmnopqrstuvwxyz'
        : /[A-F]/.test(letter)
          ? 'ABCDEF'
          : 'GHIJKLMNOPQRSTUVWXYZ'
  const others = sort.replace(letter, '')
  return others[random(others.length)] ?? letter
}

/** `line 12` is an id to the extractor; only ids of joined letters and digits count here. */
function isJoined(id: string): boolean {
  return id.length >= 6 && !/\s/.test(id) && /\d/.test(id)
}
