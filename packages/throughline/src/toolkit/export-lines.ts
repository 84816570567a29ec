/** Writes a conversation as JSON lines, which `readTranscript` reads back with files and originals. */
import { base64Of } from '../adapters/media.ts'
import type { Conversation } from '../domain/conversation.ts'
import type { ConversationId } from '../domain/ids.ts'
import type { Message, Part } from '../domain/message.ts'
import { encodeBody } from '../domain/sealed-message.ts'
import type { TenantStore } from '../ports/store.ts'
import { sha256 } from '../system.ts'
import { storedMessages } from './messages.ts'

/** Grows with each change that older readers would not understand. */
const formVersion = 1

/**
 * Yields a line for the conversation and one for each message, with the bytes of its files, and its
 * original where that holds more than the message.
 *
 * @example
 * const rows = store.tenant(tenantId('default'))
 * const conversation = await loadConversation(rows, conversationId('invoice-7'))
 * if (conversation) for await (const line of exportLines(rows, conversation)) process.stdout.write(line)
 */
export async function* exportLines(
  store: TenantStore,
  conversation: Conversation,
): AsyncGenerator<string> {
  const { id, title, titleFrom, meta, parent, createdAt, head } = conversation
  const about = withoutNulls({ id, title, titleFrom, meta, parent, createdAt, messages: head })
  yield `${JSON.stringify({ throughline: formVersion, ...about })}\n`
  for await (const message of storedMessages(store, conversation, { from: 0, to: head }))
    yield `${JSON.stringify(await recordOf(store, message))}\n`
}

async function recordOf(store: TenantStore, message: Message): Promise<object> {
  const { seq, role, origin, author, createdAt, meta, key, parts, conversationId: id } = message
  const content = await Promise.all(parts.map((part) => partRecord(part, store, id)))
  const status = message.status === 'complete' ? null : message.status
  const original = await originalOf(store, message)
  const about = { author, content, status, createdAt, meta, key }
  return withoutNulls({ seq, role, origin, ...about, ...original })
}

async function originalOf(store: TenantStore, message: Message): Promise<object> {
  const { hashes, conversationId, seq } = message
  if (hashes.content === sha256(encodeBody(message))) return {}
  const bytes = await store.bytes({ id: conversationId, seq })
  if (bytes === null) return {}
  try {
    return { raw: new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }).decode(bytes) }
  } catch {
    return { rawBase64: base64Of(bytes) }
  }
}

async function partRecord(part: Part, store: TenantStore, id: ConversationId): Promise<object> {
  if (part.type === 'file') {
    const { source, ...rest } = part
    if (source.kind === 'url') return withoutNulls({ ...rest, url: source.url })
    const bytes = await store.bytes({ id, sha256: source.sha256 })
    return withoutNulls({ ...rest, data: bytes && base64Of(bytes) })
  }
  if (part.type !== 'tool-result' || part.output.kind !== 'parts') return withoutNulls(part)
  const parts = await Promise.all(part.output.parts.map((each) => partRecord(each, store, id)))
  return withoutNulls({ ...part, output: { kind: 'parts', parts } })
}

function withoutNulls(record: object): object {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null))
}
