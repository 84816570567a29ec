/** Facts as they are gathered from one message: each once, with how often it is named. */
import type { Fact, FactKind } from '../domain/ledger.ts'

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

/** A command with other variables before it fails as the same one. */
export function failureKey(subject: string): string {
  return subject.replace(/^(?:[A-Za-z_]\w{0,60}=[^\s"']{0,200} ){1,8}/, '')
}

export class GatheredFacts {
  readonly #facts: Gathered[] = []
  #places: Map<FactKind, Map<string, Gathered>> | null = null

  add({ kind, key, label, value }: Omit<Fact, 'uses'>, times = 1): void {
    if (label === '' || label.length > labelCharacters) return
    const known = this.#known(kind, key)
    if (known === undefined) {
      const gathered = { kind, key, label, value, uses: times }
      this.#facts.push(gathered)
      if (this.#places !== null) place(this.#places, gathered)
    } else {
      known.uses += times
      known.label = label
      if (value !== '') known.value = value
    }
  }

  /** Most messages name a few things, which are gone through faster than looked up. */
  #known(kind: FactKind, key: string): Gathered | undefined {
    if (this.#places === null && this.#facts.length > fewFacts) {
      this.#places = new Map()
      for (const gathered of this.#facts) place(this.#places, gathered)
    }
    if (this.#places !== null) return this.#places.get(kind)?.get(key)
    return this.#facts.find((gathered) => gathered.key === key && gathered.kind === kind)
  }

  get facts(): readonly Fact[] {
    const all = this.#facts
    if (all.length <= factsPerMessage) return all.map(finished)
    const described = all.filter(({ value }) => value !== '').slice(0, factsPerMessage)
    const named = all.filter(({ value }) => value === '')
    const room = factsPerMessage - described.length
    const often = named.sort((left, right) => right.uses - left.uses).slice(0, room)
    return [...described, ...often].map(finished)
  }
}

const fewFacts = 8

function place(places: Map<FactKind, Map<string, Gathered>>, gathered: Gathered): void {
  const ofKind = places.get(gathered.kind)
  if (ofKind === undefined) places.set(gathered.kind, new Map([[gathered.key, gathered]]))
  else ofKind.set(gathered.key, gathered)
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
