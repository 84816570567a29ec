/**
 * The stored form of a message: JSON text without the fields that are null.
 *
 * JSON.stringify writes half a surrogate pair and NUL as escapes, so the text is
 * well-formed Unicode that any store keeps and that reads back to the same
 * strings. Place, time, key and hashes stand beside it in the row.
 */
import type { JsonObject } from './json.ts'
import type { Message, MessageStatus, Part, Role, ToolOutput } from './message.ts'

export type MessageBody = Pick<Message, 'role' | 'author' | 'parts' | 'status' | 'meta'>

/** The text that a message has as its original, where nothing else was handed in. See `messageId`. */
export function encodeBody(body: MessageBody): string {
  return JSON.stringify({
    role: body.role,
    author: body.author ?? undefined,
    parts: body.parts.map(withoutNulls),
    status: body.status === 'complete' ? undefined : body.status,
    meta: body.meta ?? undefined,
  })
}

/** What `decodeBody` reads from what `encodeBody` writes. Its texts are the same ones, not copies. */
export function bodyAsRead({ role, author, parts, status, meta }: MessageBody): MessageBody {
  return { role, author, parts: parts.map((part) => withNulls(withoutNulls(part))), status, meta }
}

function withoutNulls(part: Part): StoredPart {
  const fields = Object.entries(part).filter(([, value]) => value !== null)
  return Object.fromEntries(fields) as unknown as StoredPart
}

/**
 * A message as it was kept, from the JSON text of its row. Trusts its input: bodies come sealed, and
 * are kept as they came. See `messageId`.
 */
export function decodeBody(text: string): MessageBody {
  const stored = JSON.parse(text) as StoredBody
  return {
    role: stored.role,
    author: stored.author ?? null,
    parts: stored.parts.map(withNulls),
    status: stored.status ?? 'complete',
    meta: stored.meta ?? null,
  }
}

interface StoredBody {
  readonly role: Role
  readonly author?: string
  readonly parts: readonly StoredPart[]
  readonly status?: MessageStatus
  readonly meta?: JsonObject
}

type Sparse<Whole> = Whole extends unknown
  ? {
      readonly [Field in keyof Whole as null extends Whole[Field] ? never : Field]: Whole[Field]
    } & {
      readonly [Field in keyof Whole as null extends Whole[Field] ? Field : never]?: Whole[Field]
    }
  : never
type StoredPart = Sparse<Part>

function withNulls(part: StoredPart): Part {
  const metadata = part.metadata ?? null
  switch (part.type) {
    case 'text':
    case 'tool-call':
    case 'opaque':
      return { ...part, metadata }
    case 'reasoning':
      return { ...part, metadata, signature: part.signature ?? null }
    case 'tool-result':
      return { ...part, metadata, name: part.name ?? null, output: outputWithNulls(part.output) }
    case 'file':
      return {
        ...part,
        metadata,
        name: part.name ?? null,
        width: part.width ?? null,
        height: part.height ?? null,
      }
    case 'resource-excerpt':
    case 'attachment-ref':
      return { ...part, metadata, title: part.title ?? null }
  }
}

function outputWithNulls(output: ToolOutput): ToolOutput {
  if (output.kind !== 'parts') return output
  return { kind: 'parts', parts: output.parts.map((part) => withNulls(part) as typeof part) }
}
