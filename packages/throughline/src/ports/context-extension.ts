/**
 * The port for context extensions. An extension fills slots of the policy with its own blocks of
 * text, which replace the messages before a place of the log. See `docs/context-extensions.md`.
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
  /** Called for every request: read few rows. Equal rows must give equal results (invariant 7). */
  content(query: ExtensionQuery): Promise<ExtensionContent>
}

/** The parameters of an extension for one context. */
export interface ExtensionQuery {
  readonly store: TenantStore
  readonly id: ConversationId
  readonly policy: Policy
  readonly reader: MemoryReader
}

/** The content that an extension adds to one context. */
export interface ExtensionContent {
  /** The blocks describe all messages before this place; 0 where they replace none. */
  readonly coveredTo: Seq
  /** The most tokens of all pieces together; at most half of the free tokens of a request apply. */
  readonly maxTokens: number
  /** The most important first: where room is short, the last ones are left out. */
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

/** Data, never instructions. A long `text` loses its middle; `lines` are left out one by one. */
export type ExtensionBlock =
  | { readonly kind: 'text'; readonly label: string; readonly text: string }
  | {
      readonly kind: 'lines'
      readonly label: string
      readonly lines: readonly string[]
      /** Which lines are left out first. */
      readonly leaves: 'first' | 'last'
      /** The number of all lines: the block states how many are not shown. Null: it does not. */
      readonly of: number | null
    }
