import { canonicalHash, type Sha256 } from './hash.ts'
import {
  type Mark,
  type Message,
  type Origin,
  origins,
  type Part,
  type Role,
  type Sparse,
  statedOrigin,
} from './message.ts'

/** A checked message on its way into the log; the store adds its place and its chain hash. */
export interface SealedMessage {
  /** In our own form, as JSON text. */
  readonly body: string
  /** The message on the wire, where the caller had it. */
  readonly raw: Uint8Array | null
  readonly createdAt: number
  /** What the caller stated, as `encodeOrigins` writes it. No hash of a message includes it. */
  readonly origins: string | null
  /** The client's key, and the hash of what it names: the message, or its batch. */
  readonly key: { readonly value: string; readonly hash: string } | null
  /** Of `raw` where there is one, else of `body`. */
  readonly contentHash: string
  /** Of both: two messages are the same when their originals and their parts are. */
  readonly identityHash: string
  readonly canonicalHash: string
  /** Ids of the calls that the message makes and answers, in order. */
  readonly calls: readonly string[]
  readonly answers: readonly string[]
  readonly files: readonly FileContent[]
}

// Keys of clients have no control characters, so none contains this separator.
const batchSeparator = '\u001f'

export function batchKey(key: string, index: number): string {
  return index === 0 ? key : `${key}${batchSeparator}${index}`
}

/**
 * The key that the client gave, from the stored one: a batch has one key for all its messages.
 *
 * @example
 * const keys = sealed.map(({ key }) => key && clientKey(key.value))
 */
export function clientKey(key: string): string {
  return key.split(batchSeparator, 1)[0] ?? key
}

export interface FileContent {
  readonly sha256: string
  readonly bytes: Uint8Array
}

/**
 * Ids of the calls that a message makes, each once, in order.
 *
 * @example
 * const rows = messages.map(({ seq, parts }) => ({ seq, calls: callsOf(parts), answers: answersOf(parts) }))
 */
export function callsOf(parts: readonly Part[]): readonly string[] {
  return unique(parts.flatMap((part) => (part.type === 'tool-call' ? [part.callId] : [])))
}

/** Ids of the calls that a message answers, each once, in order. See `callsOf`. */
export function answersOf(parts: readonly Part[]): readonly string[] {
  return unique(parts.flatMap((part) => (part.type === 'tool-result' ? [part.callId] : [])))
}

function unique(ids: readonly string[]): readonly string[] {
  return [...new Set(ids)]
}

/**
 * The stored form of a message: JSON text without the fields that are null. JSON.stringify escapes
 * half surrogate pairs and NUL, so any store keeps the text and it reads back to the same strings.
 * Place, time, key and hashes are beside it in the row.
 */
export type MessageBody = Pick<Message, 'role' | 'origin' | 'author' | 'parts' | 'status' | 'meta'>

/** The original text of a message, if no other was given. See `messageId`. */
export function encodeBody(body: Omit<MessageBody, 'origin'>): string {
  return JSON.stringify({
    role: body.role,
    author: body.author ?? undefined,
    parts: body.parts.map(withoutNulls),
    status: body.status === 'complete' ? undefined : body.status,
    meta: body.meta ?? undefined,
  })
}

/** What `decodeBody` reads from what `encodeBody` writes, without copying texts. */
export function bodyAsRead(body: MessageBody): MessageBody {
  const { role, origin, author, parts, status, meta } = body
  const read = parts.map((part) => withOrigin(withNulls(withoutNulls(part)), statedOrigin(part)))
  return { role, origin, author, parts: read, status, meta }
}

function withoutNulls(part: Part): StoredPart {
  const stored: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(part))
    if (value !== null && name !== 'origin') stored[name] = value
  return stored as unknown as StoredPart
}

/**
 * The origins that a caller stated, as a text beside the body: of the message, then of its parts. Null
 * if there are none.
 */
export function encodeOrigins({ origin, parts }: Pick<Message, 'origin' | 'parts'>): string | null {
  const stated = [origin, ...parts.map(statedOrigin)]
  const count = stated.findLastIndex((each) => each !== null) + 1
  const words = stated.slice(0, count).map((each) => each ?? notStated)
  return count === 0 ? null : words.join(' ')
}

const notStated = '-'

function decodeOrigins(text: string): readonly (Origin | null)[] {
  return text.split(' ').map((word) => {
    const origin = word === notStated ? null : origins.find((known) => known === word)
    if (origin === undefined) throw new TypeError(`unknown origin "${word}"`)
    return origin
  })
}

function withOrigin(part: Part, origin: Origin | null | undefined): Part {
  // Only parts with words have one, and `encodeOrigins` writes no other.
  return origin ? ({ ...part, origin } as Part) : part
}

/**
 * A message from the JSON text of its row and its stated origins, which are not checked again. See
 * `messageId`.
 */
export function decodeBody(text: string, stated: string | null): MessageBody {
  const stored = JSON.parse(text) as StoredBody
  const [origin = null, ...ofParts] = stated === null ? [] : decodeOrigins(stated)
  return {
    role: stored.role,
    origin,
    author: stored.author ?? null,
    parts: stored.parts.map((part, index) => withOrigin(withNulls(part), ofParts[index])),
    status: stored.status ?? 'complete',
    meta: stored.meta ?? null,
  }
}

type StoredPart = Sparse<Part>
type StoredBody = Partial<Omit<MessageBody, 'parts'>> & {
  readonly role: Role
  readonly parts: readonly StoredPart[]
}

/** The fields that `encodeBody` leaves out where they are null. */
const nullFields = {
  text: { metadata: null },
  'tool-call': { metadata: null },
  opaque: { metadata: null },
  'resource-excerpt': { metadata: null, title: null },
  'attachment-ref': { metadata: null, title: null },
  reasoning: { metadata: null, signature: null },
  'tool-result': { metadata: null, name: null },
  file: { metadata: null, name: null, width: null, height: null },
} satisfies Readonly<Record<Part['type'], object>>

function withNulls(part: StoredPart): Part {
  // The first spread keeps the order of the fields.
  const whole = { ...part, ...nullFields[part.type], ...part } as Part
  if (whole.type !== 'tool-result' || whole.output.kind !== 'parts') return whole
  const parts = whole.output.parts.map((inner) => withNulls(inner as StoredPart) as typeof inner)
  return { ...whole, output: { kind: 'parts', parts } }
}

/** The mark of a message that was removed. See `isRemoved`. */
export const removedMark: Mark = { kind: 'removed' }

/**
 * Whether a message was removed: it has its place and its role, and no words.
 *
 * @example
 * const shown = messages.filter((message) => !isRemoved(message))
 * const marks = [removedMark] // of the row that replaces it
 */
export function isRemoved({ marks }: { readonly marks?: Message['marks'] | undefined }): boolean {
  return marks?.some(({ kind }) => kind === 'removed') ?? false
}

/** The replacement of a message of that role. */
export function removedMessage(role: Role, sha256: Sha256): RemovedMessage {
  const message = { role, author: null, parts: [], status: 'complete', meta: null } as const
  const body = encodeBody(message)
  const contentHash = sha256(body)
  return {
    body,
    raw: null,
    origins: null,
    contentHash,
    identityHash: contentHash,
    canonicalHash: canonicalHash(message, sha256),
    calls: [],
    answers: [],
    files: [],
  }
}

export type RemovedMessage = Omit<SealedMessage, 'createdAt' | 'key'>
