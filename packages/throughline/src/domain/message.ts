/**
 * Messages and their parts. Only edit, remove and purge change a message (invariant 1). It has no
 * token count, because that depends on the tokenizer. Arguments and unknown blocks keep their
 * original text, because parsing JSON loses big integers.
 */
import type { ConversationId, MessageId, Seq } from './ids.ts'
import type { JsonObject } from './json.ts'

/** Who speaks in a message. */
export type Role = 'system' | 'user' | 'assistant' | 'tool'
export const roles: readonly Role[] = ['system', 'user', 'assistant', 'tool']

/**
 * Whose words a message contains: a `person`, the `application` (harness text, reminders, hooks,
 * notifications), its `developer` (system prompts), the `model`, an `agent` that works for this one,
 * a `tool`, or a `summary` that a client wrote when it compacted. Only a person's words are shown as
 * the user's.
 */
export type Origin =
  | ('person' | 'application' | 'developer' | 'model')
  | ('agent' | 'tool' | 'summary')

/**
 * All origins.
 *
 * @example
 * const asked = origins.find((origin) => origin === process.argv[2])
 */
export const origins: readonly Origin[] = [
  ...(['person', 'application', 'developer', 'model', 'agent', 'tool', 'summary'] as const),
]

/** Whether a message is whole, or was cut off in the stream. */
export type MessageStatus = 'complete' | 'incomplete'

/** A message of the log: who spoke, in which parts, and its place in the conversation. */
export interface Message {
  readonly id: MessageId
  readonly conversationId: ConversationId
  readonly seq: Seq
  readonly role: Role
  /** Stated by the caller; null if role and text decide. See `originOf`. */
  readonly origin: Origin | null
  /** The speaker's name where several share a role, as in a meeting. */
  readonly author: string | null
  readonly parts: readonly Part[]
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

/** What the log noticed about a message when it was appended, and that it was removed since. */
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
  /** Whatever the provider or the client attached to the part, unchanged. */
  readonly metadata: JsonObject | null
}

/** A part that contains words. */
interface WordsPart extends PartBase {
  /** Whose words these are, where they differ from the message's; stated by the caller. */
  readonly origin?: Origin | undefined
}

/** A text in a message. */
export interface TextPart extends WordsPart {
  readonly type: 'text'
  readonly text: string
}

/** The reasoning of a model, with the provider's signature. */
export interface ReasoningPart extends PartBase {
  readonly type: 'reasoning'
  readonly text: string
  /** The provider's seal over `text`; the pair is sent back unchanged or not at all. */
  readonly signature: string | null
}

/** A call of a tool. */
export interface ToolCallPart extends PartBase {
  readonly type: 'tool-call'
  readonly callId: string
  readonly name: string
  /** The arguments as JSON text, exactly as they arrived. */
  readonly input: string
}

/** The result of a call, found by its id. */
export interface ToolResultPart extends WordsPart {
  readonly type: 'tool-result'
  readonly callId: string
  readonly name: string | null
  readonly output: ToolOutput
  readonly isError: boolean
}

/** What a tool returned: text, JSON or parts. */
export type ToolOutput =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'json'; readonly json: string }
  | { readonly kind: 'parts'; readonly parts: readonly (TextPart | FilePart | OpaquePart)[] }

/** A file or a picture in a message. */
export interface FilePart extends PartBase {
  readonly type: 'file'
  readonly mediaType: string
  readonly name: string | null
  readonly source: FileSource
  /** Pixels, where known: pictures are billed by their size. */
  readonly width: number | null
  readonly height: number | null
}

/** Bytes are stored once, under their hash; we never open an address. */
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

/** A block of an unknown type: it is sent back to its provider unchanged. */
export interface OpaquePart extends PartBase {
  readonly type: 'opaque'
  /** Whose block, and which: `anthropic/server_tool_use`. */
  readonly kind: string
  /** The block as JSON text, exactly as it arrived. */
  readonly json: string
}

/** A message as a caller writes it. In the stored form, omitted fields are null. */
export interface MessageInput {
  readonly role: Role
  /** Whose words these are; left out, markers of known clients in the text decide. */
  readonly origin?: Origin | undefined
  readonly content: string | readonly PartInput[]
  readonly author?: string | undefined
  readonly status?: MessageStatus | undefined
  readonly createdAt?: number | undefined
  readonly meta?: JsonObject | undefined
  /** Your own key for this message: appending it again changes nothing. */
  readonly key?: string | undefined
  /** The message on the wire, kept byte for byte beside the parsed form. */
  readonly raw?: string | Uint8Array | undefined
}

/** The same type with optional fields in place of nullable ones. */
export type Sparse<Whole> = Whole extends unknown
  ? { readonly [Name in keyof Whole as null extends Whole[Name] ? never : Name]: Whole[Name] } & {
      readonly [Name in keyof Whole as null extends Whole[Name] ? Name : never]?:
        | NonNullable<Whole[Name]>
        | undefined
    }
  : never

/** A part of a message in the form in which a caller writes it. */
export type PartInput =
  | (TextInput | FileInput | OpaqueInput)
  | Sparse<ReasoningPart | ResourceExcerptPart | AttachmentRefPart>
  | (Sparse<Omit<ToolCallPart, 'input'>> & {
      /** JSON text is kept to the letter; any other value is written as JSON. */
      readonly input: unknown
    })
  | (Sparse<Omit<ToolResultPart, 'output' | 'isError'>> & {
      readonly output: ToolOutputInput
      readonly isError?: boolean | undefined
    })

/** A text part, as a caller writes it. */
export type TextInput = Sparse<TextPart>

/** A block of a provider that we do not know, as a caller writes it. */
export type OpaqueInput = Sparse<OpaquePart>

/** A file part, as a caller writes it: bytes or an address. */
export type FileInput = Sparse<Omit<FilePart, 'source'>> & {
  /** Bytes, or base64 text. Give this or `url`. */
  readonly data?: Uint8Array | string | undefined
  readonly url?: string | undefined
}

/** The result of a tool, as a caller writes it. */
export type ToolOutputInput =
  | string
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'json'; readonly json: string }
  | { readonly kind: 'parts'; readonly parts: readonly (TextInput | FileInput | OpaqueInput)[] }

type OutputPart = Extract<ToolOutput, { readonly kind: 'parts' }>['parts'][number]

/** The texts of an output; the callback selects those of its parts, by default of text parts. */
export function textsOfOutput(
  output: ToolOutput,
  textsOf: (part: OutputPart) => readonly string[] = (part) =>
    part.type === 'text' ? [part.text] : [],
): readonly string[] {
  switch (output.kind) {
    case 'text':
      return [output.text]
    case 'json':
      return [output.json]
    case 'parts':
      return output.parts.flatMap(textsOf)
  }
}

export function statedOrigin(part: Part): Origin | null {
  return (part.type === 'text' || part.type === 'tool-result' ? part.origin : null) ?? null
}

/** The text parts, a line for each. */
export function textOf(parts: readonly Part[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

/** The texts that a part contains; none for bytes, references and opaque parts. */
export function contentOf(part: Part): readonly string[] {
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'resource-excerpt':
      return [part.text]
    case 'tool-call':
      return [part.input]
    case 'tool-result':
      return textsOfOutput(part.output)
    case 'file':
    case 'attachment-ref':
    case 'opaque':
      return []
  }
}

/**
 * The hashes of stored files in parts: a store deletes a file with the last message that has it.
 *
 * @example
 * const used = new Set(messages.flatMap(({ parts }) => storedIn(parts)))
 */
export function storedIn(parts: readonly Part[]): readonly string[] {
  return parts.flatMap((part) => {
    if (part.type === 'file') return part.source.kind === 'stored' ? [part.source.sha256] : []
    const hasParts = part.type === 'tool-result' && part.output.kind === 'parts'
    return hasParts ? storedIn(part.output.parts) : []
  })
}

/** The calls that results answer, by their ids. */
export type KnownCalls = ReadonlyMap<string, ToolCallPart>

/** For a text that replaces something that providers have no form for. */
const placeholderMetadata = { throughline: { placeholder: true } } as const

export function placeholderText(text: string): TextPart {
  return { type: 'text', text, metadata: placeholderMetadata }
}

export function isPlaceholder({ metadata }: Part): boolean {
  const ours = metadata?.['throughline'] as { readonly placeholder?: unknown } | undefined
  return ours?.placeholder === true
}
