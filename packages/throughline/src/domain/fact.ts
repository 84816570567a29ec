/**
 * A fact: something that a message names or tells, which may be needed again. Rows per
 * source message, made by rules; the ledger is folded from them. Plain JSON.
 */
import type { Seq } from './ids.ts'

export const factKinds = [
  'constraint',
  'preference',
  'correction',
  'decision',
  'task',
  'question',
  'file',
  'command',
  'failure',
  'use',
  'address',
  'symbol',
  'hash',
  'id',
  'version',
  'number',
  'amount',
  'date',
  'name',
] as const

export type FactKind = (typeof factKinds)[number]

export interface Fact {
  readonly kind: FactKind
  /** What is the same thing has the same key. */
  readonly key: string
  /** The thing, as it is written. */
  readonly label: string
  /** What is so with it; empty for a mere mention. */
  readonly value: string
  /** How often the message names it. */
  readonly uses: number
}

/** Whose word it is: a tool's, also for files and documents, never outranks the user's. */
export type FactTrust = 'user' | 'assistant' | 'tool'

export interface MessageFacts {
  readonly seq: Seq
  readonly trust: FactTrust
  readonly facts: readonly Fact[]
  /** The message in a line, for the narrative; null where there is nothing to tell. */
  readonly digest: MessageDigest | null
}

export interface MessageDigest {
  readonly by: FactTrust
  readonly text: string
}
