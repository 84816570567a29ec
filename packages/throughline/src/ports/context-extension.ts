/**
 * The port for context extensions. An extension fills slots of the policy with its own blocks of
 * text, which replace the messages before a place of the log. See `docs/context-extensions.md`.
 */
import type { ConversationId, Seq } from '../domain/ids.ts'
import type { Policy } from '../domain/policy.ts'
import type { TenantStore } from './store.ts'

/** How much the model of a request needs: `condensed` to route or plan, `full` to act. */
export type MemoryReader = 'condensed' | 'full'

/** Fills slots of the policy with blocks of your own, in every context. */
export interface ContextExtension {
  /** The slots that it fills. It is called only if the policy has one of them. */
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
  /** The blocks replace all messages before this place; 0 if they replace none. */
  readonly coveredTo: Seq
  /** The limit for all pieces together. Half of the request's free tokens is a limit too. */
  readonly maxTokens: number
  /** The most important first: if room is short, the last ones are left out. */
  readonly pieces: readonly ExtensionPiece[]
}

/** Blocks that are shown together, in one slot. */
export interface ExtensionPiece {
  readonly slot: string
  /** Pieces of one slot are shown in ascending order. */
  readonly order: number
  /** Its largest share of the room for all pieces, from 0 to 1. */
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
      /** Where lines are left out first. */
      readonly dropFrom: 'start' | 'end'
      /** If it is set, lines are shortened to this many characters before one is left out. */
      readonly shortenTo?: number
      /** If it is set, the block says how many of these lines are not shown. */
      readonly totalLines: number | null
    }
