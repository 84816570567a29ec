/**
 * The prompt of the AI SDK (version 7), typed by its shape: `{ ...options, ...aiSdk.write(context) }`
 * compiles without a dependency. Arrays are writable because the SDK's are.
 */
import type { JsonValue } from '../../domain/json.ts'

/** What `aiSdk.read` accepts: anything with `messages`; it ignores other options. */
export interface AiSdkRequestInput {
  readonly instructions?: AiSdkInstructions | undefined
  /** The name that `instructions` had before version 7. */
  readonly system?: AiSdkInstructions | undefined
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
  readonly allowSystemInMessages?: boolean | undefined
  /** Read if they are plain JSON schemas. Never written, because they are the caller's functions. */
  readonly tools?: unknown
}

/** What `aiSdk.write` returns. */
export interface AiSdkRequest {
  readonly instructions?: AiSdkInstructions
  readonly system?: AiSdkInstructions
  readonly messages: AiSdkMessage[]
  /** Written only if there is a system message among the messages. */
  readonly allowSystemInMessages?: boolean
}

type AiSdkInstructions = string | SystemMessage | SystemMessage[]

type AiSdkMessage =
  | SystemMessage
  | Message<'user', string | (TextPart | ImagePart | FilePart)[]>
  | Message<'assistant', string | AssistantPart[]>
  | Message<'tool', (ResultPart | ApprovalResponse)[]>

interface WithOptions {
  readonly providerOptions?: Record<string, Record<string, JsonValue>>
}

type Message<Role extends string, Content> = WithOptions & {
  readonly role: Role
  readonly content: Content
}
type SystemMessage = Message<'system', string>
type Part<Type extends string, Own> = WithOptions & { readonly type: Type } & Readonly<Own>

type AssistantPart =
  | TextPart
  | FilePart
  | Part<'reasoning', { text: string }>
  | Part<'reasoning-file', { data: Inline | URL | TaggedBytes | TaggedUrl; mediaType: string }>
  | Part<'custom', { kind: `${string}.${string}` }>
  | Part<'tool-call', CallNames & { input: unknown; providerExecuted?: boolean }>
  | ResultPart
  | Readonly<{ type: 'tool-approval-request'; approvalId: string; toolCallId: string }>

type TextPart = Part<'text', { text: string }>
type ImagePart = Part<'image', { image: Inline | URL | Reference; mediaType?: string }>
type FilePart = Part<'file', FileOf<Inline | URL | Reference | Tagged>>
type FileOf<Data> = { data: Data; mediaType: string; filename?: string }

type Inline = string | Uint8Array | ArrayBuffer
type Reference = Record<string, string>
type TaggedBytes = Readonly<{ type: 'data'; data: Inline }>
type TaggedUrl = Readonly<{ type: 'url'; url: URL; originalUrl?: string }>
type Tagged =
  | TaggedBytes
  | TaggedUrl
  | Readonly<{ type: 'reference'; reference: Reference }>
  | Readonly<{ type: 'text'; text: string }>

type CallNames = { toolCallId: string; toolName: string }
type ResultPart = Part<'tool-result', CallNames & { output: Output }>

type Output =
  | Part<'text' | 'error-text', { value: string }>
  | Part<'json' | 'error-json', { value: JsonValue }>
  | Part<'execution-denied', { reason?: string }>
  | Readonly<{ type: 'content'; value: OutputItem[] }>

type OutputItem =
  | TextPart
  | Part<'file', FileOf<Tagged>>
  | Part<'file-data' | 'image-data', FileOf<string>>
  | Part<'file-url' | 'image-url', { url: string; mediaType?: string }>
  | Part<'file-id' | 'image-file-id', { fileId: string | Record<string, string> }>
  | Part<'file-reference' | 'image-file-reference', { providerReference: Reference }>
  | Part<'custom', object>

type ApprovalResponse = Readonly<{
  type: 'tool-approval-response'
  approvalId: string
  approved: boolean
  reason?: string
  providerExecuted?: boolean
}>
