/**
 * A conversation as JSON lines, from which `import` makes the same one: a line for itself, and one
 * for each message, with the bytes of its files, and with its original where that is more than the
 * message. A page at a time: a conversation of any length is written in little memory.
 */
import type { Conversation } from '../domain/conversation.ts'
import type { FilePart, Message, Part } from '../domain/message.ts'
import { encodeBody } from '../domain/message-body.ts'
import type { TenantStore } from '../ports/store.ts'
import { sha256 } from '../system.ts'
import { messagesIn } from './messages-in.ts'

/** One more with each change that those who read the form now would not understand. */
const formVersion = 1

export async function* exportLines(
  store: TenantStore,
  conversation: Conversation,
): AsyncGenerator<string> {
  const { id, title, titleFrom, meta, parent, createdAt, head } = conversation
  const about = withoutNulls({ id, title, titleFrom, meta, parent, createdAt, messages: head })
  yield `${JSON.stringify({ throughline: formVersion, ...about })}\n`
  for await (const message of messagesIn(store, conversation, { from: 0, to: head }))
    yield `${JSON.stringify(await recordOf(store, message))}\n`
}

async function recordOf(store: TenantStore, message: Message): Promise<object> {
  const { seq, role, author, status, createdAt, meta, key, parts, conversationId } = message
  const content = await Promise.all(
    parts.map((part) => partRecord(part, (file) => base64Of(store, conversationId, file))),
  )
  return withoutNulls({
    seq,
    role,
    author,
    content,
    status: status === 'complete' ? null : status,
    createdAt,
    meta,
    key,
    ...(await originalOf(store, message)),
  })
}

/** Where a message came as something else than itself. */
async function originalOf(store: TenantStore, message: Message): Promise<object> {
  const { hashes, conversationId, seq } = message
  if (hashes.content === sha256(encodeBody(message))) return {}
  const bytes = await store.original(conversationId, seq)
  if (bytes === null) return {}
  const raw = textOf(bytes)
  return raw === null ? { rawBase64: base64(bytes) } : { raw }
}

type BytesOf = (file: FilePart) => Promise<string | null>

async function partRecord(part: Part, bytesOf: BytesOf): Promise<object> {
  if (part.type === 'file') {
    const { source, ...rest } = part
    const where = source.kind === 'url' ? { url: source.url } : { data: await bytesOf(part) }
    return withoutNulls({ ...rest, ...where })
  }
  if (part.type !== 'tool-result' || part.output.kind !== 'parts') return withoutNulls(part)
  const parts = await Promise.all(part.output.parts.map((each) => partRecord(each, bytesOf)))
  return withoutNulls({ ...part, output: { kind: 'parts', parts } })
}

async function base64Of(
  store: TenantStore,
  id: Message['conversationId'],
  { source }: FilePart,
): Promise<string | null> {
  const bytes = source.kind === 'stored' ? await store.file(id, source.sha256) : null
  return bytes === null ? null : base64(bytes)
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}

/** Null where they are no UTF-8. */
function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

function withoutNulls(record: object): object {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null))
}
