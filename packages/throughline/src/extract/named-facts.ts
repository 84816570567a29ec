/** The names in a text, as facts: by their forms in people's words, by a quick walk elsewhere. */
import type { FactKind } from '../domain/fact.ts'
import { type ExactNameKind, exactNamesOf } from './exact-names.ts'
import { fact, fileKey, type GatheredFacts } from './gathered-facts.ts'
import { type Identifier, identifiersOf } from './identifiers.ts'

const kindOfIdentifier: Readonly<Record<Identifier['kind'] | ExactNameKind, FactKind>> = {
  path: 'file',
  file: 'file',
  symbol: 'symbol',
  hash: 'hash',
  uuid: 'id',
  id: 'id',
  number: 'number',
  version: 'version',
  date: 'date',
  time: 'date',
  amount: 'amount',
  url: 'address',
  host: 'address',
  email: 'name',
  quoted: 'name',
  name: 'name',
}

export function gatherNames(text: string, gathered: GatheredFacts): void {
  for (const { text: label, kind } of identifiersOf(edgesOf(text)))
    gatherName(label, kindOfIdentifier[kind], 1, gathered)
}

/** What tools write is most of a conversation, and needs no sense for language. */
export function gatherExactNames(text: string, gathered: GatheredFacts): void {
  for (const { text: label, kind, uses } of exactNamesOf(edgesOf(text)))
    gatherName(label, kindOfIdentifier[kind], uses, gathered)
}

function gatherName(label: string, kind: FactKind, uses: number, gathered: GatheredFacts): void {
  gathered.add(fact(kind, label, '', kind === 'file' ? fileKey(label) : label), uses)
}

// Of an output of megabytes, what stands first and last is what was looked at.
const namedCharacters = 120_000

function edgesOf(text: string): string {
  if (text.length <= namedCharacters) return text
  return `${text.slice(0, namedCharacters / 2)}\n${text.slice(-namedCharacters / 2)}`
}
