/**
 * What a caller hands in: a message in its shortest honest form. `append` checks
 * it and makes the stored form; what is left out there becomes `null` here.
 */
import type { JsonObject } from './json.ts'
import type { MessageStatus, Role } from './message.ts'

export interface MessageInput {
  readonly role: Role
  /** Text, or parts. */
  readonly content: string | readonly PartInput[]
  readonly author?: string | undefined
  readonly status?: MessageStatus | undefined
  readonly createdAt?: number | undefined
  readonly meta?: JsonObject | undefined
  /** Your own key for this message: appending it again changes nothing. */
  readonly key?: string | undefined
  /** The message as it stood on the wire, kept byte for byte beside the parsed form. */
  readonly raw?: string | Uint8Array | undefined
}

interface PartInputBase {
  readonly metadata?: JsonObject | undefined
}

export type PartInput =
  | TextInput
  | (PartInputBase & {
      readonly type: 'reasoning'
      readonly text: string
      readonly signature?: string | undefined
    })
  | (PartInputBase & {
      readonly type: 'tool-call'
      readonly callId: string
      readonly name: string
      /** JSON text is kept to the letter; any other value is written as JSON. */
      readonly input: unknown
    })
  | (PartInputBase & {
      readonly type: 'tool-result'
      readonly callId: string
      readonly name?: string | undefined
      readonly output: ToolOutputInput
      readonly isError?: boolean | undefined
    })
  | FileInput
  | (PartInputBase & {
      readonly type: 'resource-excerpt'
      readonly resourceId: string
      readonly title?: string | undefined
      readonly text: string
    })
  | (PartInputBase & {
      readonly type: 'attachment-ref'
      readonly attachmentId: string
      readonly title?: string | undefined
    })
  | OpaqueInput

export type TextInput = PartInputBase & { readonly type: 'text'; readonly text: string }

export type OpaqueInput = PartInputBase & {
  readonly type: 'opaque'
  readonly kind: string
  /** JSON text is kept to the letter. */
  readonly json: string
}

export type FileInput = PartInputBase & {
  readonly type: 'file'
  readonly mediaType: string
  readonly name?: string | undefined
  /** Bytes, or base64 text. Give this or `url`. */
  readonly data?: Uint8Array | string | undefined
  readonly url?: string | undefined
  readonly width?: number | undefined
  readonly height?: number | undefined
}

export type ToolOutputInput =
  | string
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'json'; readonly json: string }
  | { readonly kind: 'parts'; readonly parts: readonly (TextInput | FileInput | OpaqueInput)[] }
