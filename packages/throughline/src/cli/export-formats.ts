/** JSON lines, which `import` reads back (with files and originals), and Markdown. */
import { isUtf8 } from 'node:buffer'
import type { Conversation, ConversationId, Message, Part, ToolOutput } from '../index.ts'
import { encodeBody, sha256, type TenantStore } from '../stores/index.ts'
import { messageText, storedMessages } from '../toolkit/index.ts'
import { dayOf, momentOf } from './screen/numbers.ts'
import { safeLine, withoutControls } from './screen/safe-text.ts'

/** Grows with each change that older readers would not understand. */
const formVersion = 1

export async function* exportLines(store: TenantStore, conversation: Conversation) {
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
  return isUtf8(bytes)
    ? { raw: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) }
    : { rawBase64: base64(bytes) }
}

async function partRecord(part: Part, store: TenantStore, id: ConversationId): Promise<object> {
  if (part.type === 'file') {
    const { source, ...rest } = part
    if (source.kind === 'url') return withoutNulls({ ...rest, url: source.url })
    const bytes = await store.bytes({ id, sha256: source.sha256 })
    return withoutNulls({ ...rest, data: bytes && base64(bytes) })
  }
  if (part.type !== 'tool-result' || part.output.kind !== 'parts') return withoutNulls(part)
  const parts = await Promise.all(part.output.parts.map((each) => partRecord(each, store, id)))
  return withoutNulls({ ...part, output: { kind: 'parts', parts } })
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}

function withoutNulls(record: object): object {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null))
}

export async function* exportMarkdown(store: TenantStore, conversation: Conversation) {
  const { id, title, head, createdAt } = conversation
  yield `# ${safeLine(title ?? id)}\n\n${safeLine(id)}, ${head} messages, started ${dayOf(createdAt)}\n`
  for await (const message of storedMessages(store, conversation, { from: 0, to: head }))
    yield `\n${markdownOf(message)}\n`
}

function markdownOf(message: Message): string {
  const { seq, role, author, createdAt, status, parts, marks } = message
  const who = author === null ? role : `${safeLine(author)} (${role})`
  const cut = status === 'incomplete' ? ', cut off' : ''
  const isRemoved = marks.some(({ kind }) => kind === 'removed')
  const blocks = isRemoved ? ['*removed*'] : parts.map(partMarkdown)
  return withoutControls(
    [`## #${seq} ${who}, ${momentOf(createdAt)}${cut}`, ...blocks].join('\n\n'),
  )
}

function partMarkdown(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'reasoning':
      return quoted(part.text)
    case 'tool-call':
      return `**${safeLine(part.name)}** \`${safeLine(part.callId)}\`\n\n${fenced(pretty(part.input), 'json')}`
    case 'tool-result':
      return `*${part.isError ? 'error of' : 'result of'}* \`${safeLine(part.callId)}\`\n\n${outputMarkdown(part.output)}`
    case 'resource-excerpt':
      return `*from ${safeLine(part.title ?? part.resourceId)}*\n\n${quoted(part.text)}`
    case 'opaque':
      return fenced(part.json, 'json')
    case 'file':
    case 'attachment-ref':
      return messageText({ parts: [part], marks: [] })
  }
}

function outputMarkdown(output: ToolOutput): string {
  if (output.kind === 'parts') return output.parts.map(partMarkdown).join('\n\n')
  return output.kind === 'text' ? fenced(output.text, '') : fenced(pretty(output.json), 'json')
}

/** Longer than any fence in the text, so nothing can close it from inside. */
function fenced(text: string, language: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

function quoted(text: string): string {
  return text.replace(/^/gm, '> ')
}

function pretty(json: string): string {
  try {
    // Numbers that JavaScript cannot represent stay as they are written.
    return /\d{16}/.test(json) ? json : JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json
  }
}
