/** Turns an unknown value into a sealed message: checked, copied and hashed before it is written. */
import { canonicalHash, type Sha256 } from '../../domain/hash.ts'
import { type ConversationId, messageId, type Seq } from '../../domain/ids.ts'
import {
  type Message,
  type MessageInput,
  type MessageStatus,
  type Origin,
  type Part,
  type PartInput,
  type Role,
  roles,
} from '../../domain/message.ts'
import { isExpanded, originOf } from '../../domain/origin.ts'
import {
  answersOf,
  bodyAsRead,
  callsOf,
  clientKey,
  encodeBody,
  encodeOrigins,
  type FileContent,
  type MessageBody,
  type SealedMessage,
} from '../../domain/sealed-message.ts'
import { describe, utf8Length } from '../../domain/text.ts'
import { isThroughlineError, ThroughlineError } from '../../errors.ts'
import type { AppendedEntry } from '../../ports/store.ts'
import {
  checkFieldNames,
  checkJsonObjectOrNull,
  checkName,
  checkObject,
  checkStringOrNull,
  checkWellFormed,
  checkWholeNumberOrNull,
  invalid,
} from '../check/check-fields.ts'
import { checkContent, checkOrigin, checkSize, copyBytes } from '../check/check-parts.ts'
import { providerFormHint } from '../check/provider-form.ts'
import { textPart } from '../text/sanitize-message.ts'

export interface SealSettings {
  readonly sha256: Sha256
  readonly now: number
  readonly messageBytesMax: number
  /** Of the message that an edit replaces; it stays unless another one is stated. */
  readonly oldOrigin?: Origin | null | undefined
}

const messageFields = [
  ...['role', 'origin', 'content', 'author', 'status', 'createdAt', 'meta', 'key', 'raw'],
]

export interface SealedInput {
  readonly sealed: SealedMessage
  readonly body: MessageBody
}

/** `previous`: the message before it in the same list; a client may have put the two together. */
export function sealMessage(
  value: unknown,
  where: string,
  settings: SealSettings,
  previous?: unknown,
): SealedInput {
  try {
    return seal(value, where, settings, previous)
  } catch (error) {
    if (!isThroughlineError(error) || error.code !== 'MESSAGE_INVALID') throw error
    const hint = providerFormHint(value)
    if (hint === null) throw error
    throw new ThroughlineError(error.code, `${error.message}. ${hint}`, { cause: error })
  }
}

function seal(
  value: unknown,
  where: string,
  settings: SealSettings,
  previous: unknown,
): SealedInput {
  const input = checkObject(value, where)
  checkFieldNames(input, messageFields, where)
  const { sha256, now, messageBytesMax, oldOrigin = null } = settings
  const files: FileContent[] = []
  const sink = { sha256, files, bytesMax: messageBytesMax }
  const message = {
    role: checkRole(input['role'], `${where}.role`),
    origin: checkOrigin(input['origin'], `${where}.origin`) ?? oldOrigin,
    author: checkStringOrNull(input['author'], `${where}.author`),
    parts: checkContent(input['content'], `${where}.content`, sink),
    status: checkStatus(input['status'], `${where}.status`),
    meta: checkJsonObjectOrNull(input['meta'], `${where}.meta`),
  }
  const body = encodeBody(message)
  const origin = message.origin ?? expansionOrigin(message, previous)
  const raw = checkRaw(input['raw'], `${where}.raw`)
  const fileBytes = files.reduce((sum, file) => sum + file.bytes.byteLength, 0)
  const rawBytes = raw?.byteLength ?? 0
  // The raw form and our form contain the same text, so only the larger one counts. Most messages are
  // far below the limit, and need no count.
  if (Math.max(body.length * maxUnitBytes, rawBytes) + fileBytes > messageBytesMax)
    checkSize(Math.max(utf8Length(body), rawBytes) + fileBytes, where, messageBytesMax)
  const contentHash = sha256(raw ?? body)
  // A key identifies the raw original and our form: the same original, read into other parts, is
  // another message.
  const identityHash = raw === null ? contentHash : sha256(contentHash + sha256(body))
  const key = input['key'] === undefined ? null : checkKey(input['key'], `${where}.key`)
  const sealed = {
    body,
    raw,
    createdAt: checkWholeNumberOrNull(input['createdAt'], `${where}.createdAt`) ?? now,
    origins: encodeOrigins({ origin, parts: message.parts }),
    key: key === null ? null : { value: key, hash: identityHash },
    identityHash,
    contentHash,
    canonicalHash: canonicalHash(message, sha256),
    calls: callsOf(message.parts),
    answers: answersOf(message.parts),
    files,
  }
  return { sealed, body: { ...message, origin } }
}

/** A UTF-16 unit has no more bytes in UTF-8. */
const maxUnitBytes = 3

const maxKeyCharacters = 1_024

export function checkKey(value: unknown, where: string): string {
  const key = checkWellFormed(checkName(value, where), where)
  if (key.length > maxKeyCharacters)
    throw invalid(where, `must have at most ${maxKeyCharacters} characters`)
  if (/\p{Cc}/u.test(key)) throw invalid(where, 'must not contain control characters')
  return key
}

function checkRole(value: unknown, where: string): Role {
  const role = roles.find((known) => known === value)
  if (role !== undefined) return role
  throw invalid(where, `must be one of ${roles.join(', ')}, got ${describe(value)}`)
}

/** A client sends what it expands a command or a skill to as the next message of the user. */
function expansionOrigin(message: MessageBody, previous: unknown): Origin | null {
  if (message.role !== 'user' || originOf(message) !== 'person') return null
  return isExpanded(lastPartOf(previous)) ? 'application' : null
}

/** Not checked: a caller's list may be read from its end. */
function lastPartOf(input: unknown): Part | undefined {
  const { content } = (input ?? {}) as Partial<MessageInput>
  if (typeof content === 'string') return textPart(content)
  const last: PartInput | undefined = Array.isArray(content) ? content.at(-1) : undefined
  if (last?.type === 'text' && typeof last.text === 'string') return textPart(last.text)
  if (last?.type !== 'tool-result') return undefined
  const output = { kind: 'text', text: firstTextOf(last.output) } as const
  return { ...last, name: null, output, isError: false, metadata: null }
}

function firstTextOf(output: unknown): string {
  if (typeof output === 'string') return output
  const { text, parts } = (output ?? {}) as { text?: unknown; parts?: unknown }
  const first: unknown = Array.isArray(parts) ? parts[0]?.text : text
  return typeof first === 'string' ? first : ''
}

function checkStatus(value: unknown, where: string): MessageStatus {
  if (value === undefined || value === 'complete') return 'complete'
  if (value === 'incomplete') return 'incomplete'
  throw invalid(where, 'must be complete or incomplete')
}

const encoder = new TextEncoder()

function checkRaw(value: unknown, where: string): Uint8Array | null {
  if (value === undefined) return null
  if (value instanceof Uint8Array) return copyBytes(value)
  if (typeof value !== 'string') throw invalid(where, 'must be text or bytes')
  // UTF-8 has no half surrogate pairs: encoding would put a replacement character there.
  if (!value.isWellFormed())
    throw invalid(where, 'contains half of a surrogate pair; pass bytes instead')
  return encoder.encode(value)
}

export function storedMessage(
  { sealed, body }: SealedInput,
  conversationId: ConversationId,
  { seq, chain, marks }: Pick<AppendedEntry, 'seq' | 'chain' | 'marks'>,
): Message {
  return {
    id: messageId(conversationId, seq),
    conversationId,
    seq,
    ...bodyAsRead(body),
    createdAt: sealed.createdAt,
    key: sealed.key && clientKey(sealed.key.value),
    hashes: { content: sealed.contentHash, canonical: sealed.canonicalHash, chain },
    marks,
  }
}

/** A message that is not in a stored log, so it has no chain hash. */
export function unstoredMessage(
  { sealed, body }: SealedInput,
  conversationId: ConversationId,
  seq: Seq,
): Message {
  const keyless = { sealed: { ...sealed, key: null }, body }
  return storedMessage(keyless, conversationId, { seq, chain: '', marks: [] })
}
