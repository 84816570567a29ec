/**
 * A context extension describes messages in its own way: with blocks of text for slots of the
 * policy, up to a
 * place of the log. Messages before it are not shown one by one. See `docs/context-extensions.md`.
 */
import type { ConversationId, Seq } from '../domain/ids.ts'
import type { Policy } from '../domain/policy.ts'
import type { TenantStore } from './store.ts'

/** Who reads the blocks: `condensed` for those who route and plan, `full` for those who act. */
export type MemoryReader = 'condensed' | 'full'

/** Adds slots of your own to every context. */
export interface ContextExtension {
  /** The slots that it fills. It is called only where the policy has one of them. */
  readonly slots: readonly string[]
  /** Called for every request, so it reads few rows. Same rows, same answer (invariant 7). */
  content(query: ExtensionQuery): Promise<ExtensionContent>
}

/** What an extension is given for one context. */
export interface ExtensionQuery {
  readonly store: TenantStore
  readonly id: ConversationId
  readonly policy: Policy
  readonly reader: MemoryReader
}

/** What an extension adds to one context. */
export interface ExtensionContent {
  /** The blocks describe all messages before this place; 0 where they replace none. */
  readonly coveredTo: Seq
  /** The most tokens of all pieces together; half of what a request leaves free is never exceeded. */
  readonly maxTokens: number
  /** The most valuable first: where room is short, the last ones are left out. */
  readonly pieces: readonly ExtensionPiece[]
}

/** Blocks that are shown together, in one slot. */
export interface ExtensionPiece {
  readonly slot: string
  /** Its order within the slot, ascending. */
  readonly place: number
  /** The most that it may have of the room for all pieces, from 0 to 1. */
  readonly share: number
  readonly blocks: readonly ExtensionBlock[]
}

/** Delimited data, never instructions. A long `text` loses its middle; `lines` are left out one by one. */
export type ExtensionBlock =
  | { readonly kind: 'text'; readonly label: string; readonly text: string }
  | {
      readonly kind: 'lines'
      readonly label: string
      readonly lines: readonly string[]
      /** Which of them is left out first. */
      readonly leaves: 'first' | 'last'
      /** How many there are in all: the block says how many are not shown. Null: it says nothing. */
      readonly of: number | null
    }
