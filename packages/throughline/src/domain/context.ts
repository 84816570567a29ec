import type { BreakCause, Decision } from './decision.ts'
import type { Seq } from './ids.ts'
import type { JsonObject, JsonValue } from './json.ts'
import type { Message, Origin, TextPart } from './message.ts'
import type { Span } from './span.ts'

/**
 * The content of one request to a model, with its token figures.
 *
 * Every call is followed by its results, the first and the last message are not the assistant's,
 * and text is well-formed Unicode. An adapter writes it in a provider's form.
 */
export interface Context extends Deliverable {
  /** The id of the model card that tokens were counted with. */
  readonly model: string
  readonly budget: Budget
  /** The whole request: system, tools, messages, and the frames around them. */
  readonly tokens: number
  readonly available: number
  readonly sections: readonly Section[]
  readonly omitted: readonly Omission[]
  /** What was repaired so that providers accept the history. */
  readonly repairs: readonly Repair[]
  readonly epoch: number
  readonly decision: Decision
  /** Names this request; pass it with the usage that the provider reports for it. */
  readonly fingerprint: string
  /**
   * The previous request, where this one begins with all of its messages except those that change
   * by their nature: retrieved text at its end, and what followed that.
   */
  readonly prefixOf: string | null
  /** Why the provider's cache of the previous request is of no use here. */
  readonly brokenBy: BreakCause | null
  /** What the caller should know of this request, such as a window that had to be assumed. */
  readonly warnings: readonly ContextWarning[]
}

/**
 * A warning of a context. `MODEL_UNKNOWN`: the catalogue does not know the model.
 * `CONVERSATION_EMPTY`: there is no message to send. `EMBEDDER_FAILED`: messages were recalled by their
 * words only.
 */
export interface ContextWarning {
  readonly code: 'MODEL_UNKNOWN' | 'CONVERSATION_EMPTY' | 'EMBEDDER_FAILED'
  /** What happened and what to do, for people. */
  readonly text: string
  /** Known models with a similar name, at most three. */
  readonly suggestions: readonly string[]
}

/** What an adapter needs to write a request. */
export interface Deliverable {
  /** The id of the model, where a service takes more from some models than from others. */
  readonly model?: string | undefined
  readonly system: readonly TextPart[]
  readonly tools: readonly ToolSchema[]
  readonly messages: readonly ContextMessage[]
  /** The bytes of the files that the messages show, by their hash. */
  readonly files: ReadonlyMap<string, Uint8Array>
  /** Indexes of messages after which a stable prefix ends, ascending; at most three. */
  readonly breakpoints: readonly number[]
}

/** A message of a context, in the order in which it is sent. */
export interface ContextMessage extends Pick<Message, 'role' | 'author' | 'parts' | 'meta'> {
  /** Its place in the log; null for text of ours or of the caller. */
  readonly seq: Seq | null
  readonly slot: SlotKind
  /** Stated by the caller for the message. See `originOf`. */
  readonly origin?: Origin | null | undefined
}

const coreSlots = [
  ...(['system', 'profile', 'pins', 'summary', 'ledger', 'files'] as const),
  ...(['earlier', 'recent', 'recalled', 'retrieved', 'current'] as const),
] as const

export type CoreSlot = (typeof coreSlots)[number]

/** The kinds of content in a context: our slots, and those of a context extension. */
export type SlotKind = CoreSlot | ExtensionSlot

/** A name of the extension's own; `Record` keeps editors offering the known ones. */
type ExtensionSlot = string & Readonly<Record<never, never>>

export function isCoreSlot(slot: SlotKind): slot is CoreSlot {
  return coreSlots.some((known) => known === slot)
}

/** A part of a request: how many messages and tokens it has. */
export interface Section {
  readonly kind: SlotKind | 'tools'
  readonly messages: number
  readonly tokens: number
}

/** A part of the conversation that a context does not show in full, and why. */
export interface Omission {
  /** Of the log; null for the caller's text. */
  readonly span: Span | null
  readonly why: 'left-out' | 'stubbed' | 'over-share'
  /** The tokens that are not shown, by our count; null where they were not read. */
  readonly tokens: number | null
}

export interface Repair {
  readonly kind:
    | 'result-without-call'
    | 'call-as-text'
    | 'call-without-result'
    | 'result-moved'
    | 'call-renamed'
    | 'opening-added'
    | 'ending-added'
    | 'text-repaired'
    | 'document-moved'
  readonly seq: Seq | null
}

/**
 * A budget: how many tokens a request may have, and how they are divided.
 *
 *   min(window ─ reserve for the reply, input limit) ─ margin = available
 *   available ─ system ─ tools ─ pins                         = what the conversation can have
 *
 * After a provider refused a request as too large, less is available.
 */
export interface Budget {
  readonly windowTokens: number
  readonly windowSource: string
  readonly reserveTokens: number
  /** The largest prompt of the model, where that is less than its window; else null. */
  readonly inputLimitTokens: number | null
  /** Kept free for what a provider adds and does not report. */
  readonly marginTokens: number
  readonly availableTokens: number
  /** Tokens of the parts that are never shortened. */
  readonly protected: Readonly<Record<'system' | 'tools' | 'pins', number>>
  /** Above this the epoch ends. */
  readonly triggerTokens: number
  /** A new epoch begins with about this, where the conversation is long enough. */
  readonly targetTokens: number
}

/** The size of a piece of a request. */
export interface Size {
  /** Our best estimate of what the provider will count. */
  readonly tokens: number
  /** An upper bound on its size as serialized in a request, JSON included. */
  readonly wire: number
}

export const noSize: Size = { tokens: 0, wire: 0 }

export function addSizes(sizes: Iterable<Size>): Size {
  let [tokens, wire] = [0, 0]
  for (const size of sizes) [tokens, wire] = [tokens + size.tokens, wire + size.wire]
  return { tokens, wire }
}

/** A message of a context, with its cost and its key. */
export interface Rendered {
  readonly message: ContextMessage
  readonly size: Size
  /** Equal keys, equal bytes. */
  readonly key: string
}

/** A tool that the model may call, as it is described to the provider. */
export interface ToolSchema {
  readonly name: string
  readonly description?: string | undefined
  readonly parameters?: JsonValue | undefined
  /** Further fields of the provider's own tool format; adapters write and read them. */
  readonly metadata?: JsonObject | undefined
}
