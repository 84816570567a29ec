/**
 * A message: who spoke, in which parts, and where it stands in its conversation.
 *
 * Messages never change, but for edit, remove and purge (invariant 1), and carry no token count: a count belongs
 * to a tokenizer, a message to nobody. Everything that must come back byte for
 * byte (arguments of a call, blocks that we do not know) is kept as the text that
 * arrived, never as a parsed value: parsing JSON loses big integers.
 */
import type { ConversationId, MessageId, Seq } from './ids.ts'
import type { JsonObject } from './json.ts'

/** Who speaks in a message. */
export type Role = 'system' | 'user' | 'assistant' | 'tool'

export const roles: readonly Role[] = ['system', 'user', 'assistant', 'tool']

export type MessageStatus = 'complete' | 'incomplete'

export interface Message {
  readonly id: MessageId
  readonly conversationId: ConversationId
  readonly seq: Seq
  readonly role: Role
  /** The speaker's name where several share a role, as in a meeting. */
  readonly author: string | null
  readonly parts: readonly Part[]
  /** A reply that was cut off in the stream is kept, and says so. */
  readonly status: MessageStatus
  /** Milliseconds since 1970, for people to read. Order is `seq`, never this. */
  readonly createdAt: number
  readonly meta: JsonObject | null
  /** The client's own key, which makes a retried append harmless. */
  readonly key: string | null
  readonly hashes: MessageHashes
  readonly marks: readonly Mark[]
}

/** Lower-case hexadecimal SHA-256 values. */
export interface MessageHashes {
  /** Of the original bytes. */
  readonly content: string
  /** Of the meaning: what a client may move about (cache hints, key order) left out. */
  readonly canonical: string
  /** Of the canonical hashes up to and with this message: equal chains, equal histories. */
  readonly chain: string
}

/** What the log noticed about a message when it took it, and that it was removed since. */
export type Mark =
  | { readonly kind: 'orphan-result'; readonly callId: string }
  | { readonly kind: 'removed' }

/** A piece of a message. */
export type Part =
  | TextPart
  | ReasoningPart
  | ToolCallPart
  | ToolResultPart
  | FilePart
  | ResourceExcerptPart
  | AttachmentRefPart
  | OpaquePart

interface PartBase {
  /** Whatever the provider or the client hung on the part, kept as it came. */
  readonly metadata: JsonObject | null
}

export interface TextPart extends PartBase {
  readonly type: 'text'
  readonly text: string
}

export interface ReasoningPart extends PartBase {
  readonly type: 'reasoning'
  readonly text: string
  /** The provider's seal over `text`; the pair is sent back unchanged or not at all. */
  readonly signature: string | null
}

export interface ToolCallPart extends PartBase {
  readonly type: 'tool-call'
  readonly callId: string
  readonly name: string
  /** The arguments as JSON text, exactly as they arrived. */
  readonly input: string
}

export interface ToolResultPart extends PartBase {
  readonly type: 'tool-result'
  readonly callId: string
  readonly name: string | null
  readonly output: ToolOutput
  readonly isError: boolean
}

export type ToolOutput =
  | { readonly kind: 'text'; readonly text: string }
  /** A JSON value as the text that arrived. */
  | { readonly kind: 'json'; readonly json: string }
  | { readonly kind: 'parts'; readonly parts: readonly (TextPart | FilePart | OpaquePart)[] }

export interface FilePart extends PartBase {
  readonly type: 'file'
  readonly mediaType: string
  readonly name: string | null
  readonly source: FileSource
  /** Pixels, where known: pictures are billed by their size. */
  readonly width: number | null
  readonly height: number | null
}

/** Bytes stand once in the store, under their hash; an address is never opened by us. */
export type FileSource =
  | { readonly kind: 'stored'; readonly sha256: string; readonly sizeBytes: number }
  | { readonly kind: 'url'; readonly url: string }

/** A piece of a document that the application found for this turn. */
export interface ResourceExcerptPart extends PartBase {
  readonly type: 'resource-excerpt'
  readonly resourceId: string
  readonly title: string | null
  readonly text: string
}

/** Something that the user attached and the application keeps. */
export interface AttachmentRefPart extends PartBase {
  readonly type: 'attachment-ref'
  readonly attachmentId: string
  readonly title: string | null
}

/** A block that we do not know: it goes back to its provider as it came. */
export interface OpaquePart extends PartBase {
  readonly type: 'opaque'
  /** Whose block, and which: `anthropic/server_tool_use`. */
  readonly kind: string
  /** The block as JSON text, exactly as it arrived. */
  readonly json: string
}
