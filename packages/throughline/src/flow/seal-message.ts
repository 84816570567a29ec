/**
 * From an unknown value to a sealed message: checked, copied, hashed. Whatever is
 * wrong with it is found here, before anything is written.
 */
import { canonicalText } from '../domain/canonical.ts'
import type { Sha256 } from '../domain/hash.ts'
import { type MessageStatus, type Role, roles } from '../domain/message.ts'
import { encodeBody } from '../domain/message-body.ts'
import {
  answersOf,
  callsOf,
  type FileContent,
  type SealedMessage,
} from '../domain/sealed-message.ts'
import { utf8Length } from '../domain/utf8-length.ts'
import { ThroughlineError } from '../errors.ts'
import {
  invalid,
  jsonObjectOrNull,
  name,
  object,
  onlyFields,
  stringOrNull,
  wellFormed,
  wholeNumberOrNull,
} from './check-fields.ts'
import { checkContent } from './check-parts.ts'

export interface SealSettings {
  readonly sha256: Sha256
  readonly now: number
  readonly messageBytesMax: number
}

const messageFields = ['role', 'content', 'author', 'status', 'createdAt', 'meta', 'key', 'raw']

export function sealMessage(value: unknown, where: string, settings: SealSettings): SealedMessage {
  const input = object(value, where)
  onlyFields(input, messageFields, where)
  const files: FileContent[] = []
  const message = {
    role: role(input['role'], `${where}.role`),
    author: stringOrNull(input['author'], `${where}.author`),
    parts: checkContent(input['content'], `${where}.content`, { sha256: settings.sha256, files }),
    status: status(input['status'], `${where}.status`),
    meta: jsonObjectOrNull(input['meta'], `${where}.meta`),
  }
  const body = encodeBody(message)
  const raw = rawBytes(input['raw'], `${where}.raw`)
  checkSize({ body, raw, files }, where, settings.messageBytesMax)
  const contentHash = settings.sha256(raw ?? body)
  const key = input['key'] === undefined ? null : checkKey(input['key'], `${where}.key`)
  return {
    body,
    raw,
    createdAt: wholeNumberOrNull(input['createdAt'], `${where}.createdAt`) ?? settings.now,
    key: key === null ? null : { value: key, fingerprint: contentHash },
    contentHash,
    canonicalHash: settings.sha256(canonicalText(message)),
    calls: callsOf(message.parts),
    answers: answersOf(message.parts),
    files,
  }
}

export function checkKey(value: unknown, where: string): string {
  return wellFormed(name(value, where), where)
}

function role(value: unknown, where: string): Role {
  const found = roles.find((known) => known === value)
  if (found === undefined)
    throw invalid(where, `must be one of ${roles.join(', ')}, got ${JSON.stringify(value)}`)
  return found
}

function status(value: unknown, where: string): MessageStatus {
  if (value === undefined || value === 'complete') return 'complete'
  if (value === 'incomplete') return 'incomplete'
  throw invalid(where, 'must be complete or incomplete')
}

const encoder = new TextEncoder()

function rawBytes(value: unknown, where: string): Uint8Array | null {
  if (value === undefined) return null
  if (value instanceof Uint8Array) return value.slice()
  if (typeof value !== 'string') throw invalid(where, 'must be text or bytes')
  // UTF-8 has no half surrogate pairs: encoding would put a replacement character there.
  if (!value.isWellFormed())
    throw invalid(where, 'holds half a surrogate pair; hand in bytes instead')
  return encoder.encode(value)
}

function checkSize(
  message: Pick<SealedMessage, 'body' | 'raw' | 'files'>,
  where: string,
  bytesMax: number,
): void {
  const fileBytes = message.files.reduce((sum, file) => sum + file.bytes.byteLength, 0)
  const sizeBytes = Math.max(utf8Length(message.body), message.raw?.byteLength ?? 0) + fileBytes
  if (sizeBytes > bytesMax)
    throw new ThroughlineError(
      'MESSAGE_TOO_LARGE',
      `${where} has ${sizeBytes} bytes; the most is ${bytesMax}`,
    )
}
