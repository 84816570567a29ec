/**
 * The ledger: what is known of a conversation up to a place, folded from facts. Newer values
 * are in force and older ones superseded; it never passes through a model. Plain JSON.
 */
import type { FactKind, FactTrust } from './fact.ts'
import type { Seq } from './ids.ts'

export interface Ledger {
  /** Facts of the messages before it are folded in. */
  readonly to: Seq
  readonly entries: readonly LedgerEntry[]
}

export interface LedgerEntry {
  readonly key: string
  readonly kind: FactKind
  readonly label: string
  /** What is in force. */
  readonly value: string
  readonly status: 'current' | 'retracted'
  readonly trust: FactTrust
  /** The newest places that tell of it, or else that name it, newest last. */
  readonly sources: readonly Seq[]
  /** Where it was named last. */
  readonly lastSeq: Seq
  /** Who named it last. */
  readonly namedBy: FactTrust
  /** How often it was named, by whom. */
  readonly uses: Readonly<Record<FactTrust, number>>
  /** Of a file: what was done to it, how often. */
  readonly counts: Readonly<Record<string, number>>
}

export const emptyLedger: Ledger = { to: 0, entries: [] }
