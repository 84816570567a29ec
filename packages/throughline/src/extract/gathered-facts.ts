/** Facts as they are gathered from one message: each once, with how often it is named. */
import type { Fact, FactKind } from '../domain/fact.ts'

/** What a message names most often, and first, is what it is about. */
const factsPerMessage = 240
// A rule is kept whole or not at all: half of it may say the opposite.
const labelCharacters = 600

export function fact(
  kind: FactKind,
  label: string,
  value: string,
  key = label,
): Omit<Fact, 'uses'> {
  return { kind, key, label, value }
}

/** The same file is named from here and from there. */
export function fileKey(path: string): string {
  return path.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '')
}

export class GatheredFacts {
  readonly #facts: Gathered[] = []
  readonly #places = new Map<FactKind, Map<string, Gathered>>()

  add({ kind, key, label, value }: Omit<Fact, 'uses'>, times = 1): void {
    if (label === '' || label.length > labelCharacters) return
    const places = this.#places.get(kind) ?? new Map<string, Gathered>()
    const known = places.get(key)
    if (known === undefined) {
      const gathered = { kind, key, label, value, uses: times }
      this.#facts.push(gathered)
      places.set(key, gathered)
      this.#places.set(kind, places)
    } else {
      known.uses += times
      known.label = label
      if (value !== '') known.value = value
    }
  }

  get facts(): readonly Fact[] {
    const all = this.#facts
    if (all.length <= factsPerMessage) return all.map(finished)
    const told = all.filter(({ value }) => value !== '').slice(0, factsPerMessage)
    const named = all.filter(({ value }) => value === '')
    const room = factsPerMessage - told.length
    const often = named.sort((left, right) => right.uses - left.uses).slice(0, room)
    return [...told, ...often].map(finished)
  }
}

interface Gathered extends Fact {
  label: string
  value: string
  uses: number
}

/** Half a character, as cut texts have at their ends, is not to be stored. */
function finished({ kind, key, label, value, uses }: Gathered): Fact {
  return {
    kind,
    key: key.slice(0, labelCharacters).toWellFormed(),
    label: label.toWellFormed(),
    value: value.slice(0, labelCharacters).toWellFormed(),
    uses,
  }
}
