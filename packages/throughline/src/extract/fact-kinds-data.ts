/** Maps kinds of literals, utterances and tools to fact kinds, labels and verbs. */
import type { FactKind } from '../domain/ledger.ts'
import type { LiteralKind } from './literals/literal-forms-data.ts'
import type { ToolFamily } from './tool-words-data.ts'
import type { Utterance } from './utterances.ts'

export const kindOfLiteral: Readonly<Record<LiteralKind, FactKind>> = {
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

export const kindOfUtterance: Partial<Record<Utterance['kind'], FactKind>> = {
  constraint: 'constraint',
  retraction: 'constraint',
  preference: 'preference',
  correction: 'correction',
  decision: 'decision',
  task: 'task',
  question: 'question',
  persistent: 'constraint',
  statement: 'constraint',
  passage: 'constraint',
}

export const labelOfUtterance: Readonly<Record<Utterance['kind'], string>> = {
  constraint: 'Rule',
  retraction: 'Withdrawn',
  preference: 'Wish',
  correction: 'Correction',
  decision: 'Decided',
  commitment: 'Promised',
  proposal: 'Proposed',
  confirmation: 'Confirmed',
  question: 'Asked',
  task: 'Request',
  persistent: 'Stated',
  statement: 'Stated',
  passage: 'Rule',
}

export const verbOfFamily: Partial<Record<ToolFamily, string>> = {
  read: 'read',
  write: 'wrote',
  edit: 'edited',
  patch: 'patched',
  delete: 'deleted',
  shell: 'ran',
  search: 'searched',
  list: 'listed',
  web: 'fetched',
  http: 'requested',
  database: 'queried',
}

export type FileUseKind = 'read' | 'written' | 'edited' | 'deleted' | 'found'

/** What a tool does with the file in its arguments. */
export const fileUseOf: Partial<Record<ToolFamily, FileUseKind>> = {
  read: 'read',
  write: 'written',
  edit: 'edited',
  patch: 'edited',
  delete: 'deleted',
}
