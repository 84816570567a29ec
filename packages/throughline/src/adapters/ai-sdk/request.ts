/**
 * The prompt of a call of the AI SDK (version 7), typed by its shape: `messages` fits
 * its `ModelMessage[]`, so that `{ ...options, ...aiSdk.write(context) }` compiles
 * without a package to depend on. Arrays are writable because theirs are.
 */
import type { JsonValue } from '../../domain/json.ts'

/** What is read: anything that has messages. Other options are none of our business. */
export interface AiSdkRequestInput {
  readonly instructions?: AiSdkInstructions | undefined
  /** The name that `instructions` had before version 7. */
  readonly system?: AiSdkInstructions | undefined
  readonly messages: readonly AiSdkMessageLike[]
  readonly allowSystemInMessages?: boolean | undefined
  /** Read where they are plain JSON schemas. Never written: they are the caller's functions. */
  readonly tools?: unknown
}

interface AiSdkMessageLike {
  readonly role: string
  readonly content: unknown
}

/** What is written. */
export interface AiSdkRequest {
  readonly instructions?: AiSdkInstructions
  readonly system?: AiSdkInstructions
  readonly messages: AiSdkMessage[]
  /** Written only where a system message stands among the messages. */
  readonly allowSystemInMessages?: boolean
}

type AiSdkInstructions = string | AiSdkSystemMessage | AiSdkSystemMessage[]

type AiSdkMessage =
  | AiSdkSystemMessage
  | (WithOptions & {
      readonly role: 'user'
      readonly content: string | (AiSdkTextPart | AiSdkImagePart | AiSdkFilePart)[]
    })
  | (WithOptions & { readonly role: 'assistant'; readonly content: string | AiSdkAssistantPart[] })
  | (WithOptions & {
      readonly role: 'tool'
      readonly content: (AiSdkResultPart | AiSdkApprovalResponse)[]
    })

interface WithOptions {
  readonly providerOptions?: Record<string, Record<string, JsonValue>>
}

interface AiSdkSystemMessage extends WithOptions {
  readonly role: 'system'
  readonly content: string
}

type AiSdkAssistantPart =
  | AiSdkTextPart
  | AiSdkFilePart
  | (WithOptions & { readonly type: 'reasoning'; readonly text: string })
  | (WithOptions & {
      readonly type: 'reasoning-file'
      readonly data: Inline | URL | TaggedBytes | TaggedUrl
      readonly mediaType: string
    })
  | (WithOptions & { readonly type: 'custom'; readonly kind: `${string}.${string}` })
  | (WithOptions & {
      readonly type: 'tool-call'
      readonly toolCallId: string
      readonly toolName: string
      readonly input: unknown
      readonly providerExecuted?: boolean
    })
  | AiSdkResultPart
  | {
      readonly type: 'tool-approval-request'
      readonly approvalId: string
      readonly toolCallId: string
    }

interface AiSdkTextPart extends WithOptions {
  readonly type: 'text'
  readonly text: string
}

interface AiSdkImagePart extends WithOptions {
  readonly type: 'image'
  readonly image: Inline | URL | Reference
  readonly mediaType?: string
}

interface AiSdkFilePart extends WithOptions {
  readonly type: 'file'
  readonly data: Inline | URL | Reference | Tagged
  readonly mediaType: string
  readonly filename?: string
}

type Inline = string | Uint8Array | ArrayBuffer
type Reference = Record<string, string>
interface TaggedBytes {
  readonly type: 'data'
  readonly data: Inline
}
interface TaggedUrl {
  readonly type: 'url'
  readonly url: URL
  readonly originalUrl?: string
}
type Tagged =
  | TaggedBytes
  | TaggedUrl
  | { readonly type: 'reference'; readonly reference: Reference }
  | { readonly type: 'text'; readonly text: string }

interface AiSdkResultPart extends WithOptions {
  readonly type: 'tool-result'
  readonly toolCallId: string
  readonly toolName: string
  readonly output: AiSdkOutput
}

type AiSdkOutput =
  | (WithOptions & { readonly type: 'text' | 'error-text'; readonly value: string })
  | (WithOptions & { readonly type: 'json' | 'error-json'; readonly value: JsonValue })
  | (WithOptions & { readonly type: 'execution-denied'; readonly reason?: string })
  | { readonly type: 'content'; readonly value: AiSdkOutputItem[] }

type AiSdkOutputItem =
  | AiSdkTextPart
  | (WithOptions & {
      readonly type: 'file'
      readonly data: Tagged
      readonly mediaType: string
      readonly filename?: string
    })
  | (WithOptions & {
      readonly type: 'file-data' | 'image-data'
      readonly data: string
      readonly mediaType: string
      readonly filename?: string
    })
  | (WithOptions & {
      readonly type: 'file-url' | 'image-url'
      readonly url: string
      readonly mediaType?: string
    })
  | (WithOptions & {
      readonly type: 'file-id' | 'image-file-id'
      readonly fileId: string | Record<string, string>
    })
  | (WithOptions & {
      readonly type: 'file-reference' | 'image-file-reference'
      readonly providerReference: Reference
    })
  | (WithOptions & { readonly type: 'custom' })

interface AiSdkApprovalResponse {
  readonly type: 'tool-approval-response'
  readonly approvalId: string
  readonly approved: boolean
  readonly reason?: string
  readonly providerExecuted?: boolean
}
