/**
 * A conversation as JSON lines, from which `import` makes the same one: a line for itself, and one
 * for each message, with the bytes of its files, and with its original where that is more than the
 * message. A page at a time: a conversation of any length is written in little memory.
 */
import type { Conversation, FilePart, Message, Part, ToolOutput } from '../index.ts'
import { encodeBody, sha256, type TenantStore } from '../stores/index.ts'
import { messageText, storedMessages } from '../toolkit/index.ts'
import { dayOf, momentOf } from './screen/numbers.ts'
import { safeLine, withoutControls } from './screen/safe-text.ts'

/** One more with each change that those who read the form now would not understand. */
const formVersion = 1

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
  const bytes = await store.bytes({ id: conversationId, seq })
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
  const bytes = source.kind === 'stored' ? await store.bytes({ id, sha256: source.sha256 }) : null
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

/** A conversation as Markdown, for people: what was said as it was said, and tools in fences. */
export async function* exportMarkdown(
  store: TenantStore,
  conversation: Conversation,
): AsyncGenerator<string> {
  const { id, title, head, createdAt } = conversation
  yield `# ${safeLine(title ?? id)}\n\n${safeLine(id)}, ${head} messages, begun ${dayOf(createdAt)}\n`
  for await (const message of storedMessages(store, conversation, { from: 0, to: head }))
    yield `\n${markdownOf(message)}\n`
}

function markdownOf(message: Message): string {
  const { seq, role, author, createdAt, status, parts, marks } = message
  const who = author === null ? role : `${safeLine(author)} (${role})`
  const cut = status === 'incomplete' ? ', cut off' : ''
  const isRemoved = marks.some(({ kind }) => kind === 'removed')
  const said = isRemoved ? ['*removed*'] : parts.map(partMarkdown)
  return withoutControls([`## #${seq} ${who}, ${momentOf(createdAt)}${cut}`, ...said].join('\n\n'))
}

function partMarkdown(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'reasoning':
      return quoted(part.text)
    case 'tool-call':
      return `**${safeLine(part.name)}** \`${safeLine(part.callId)}\`\n\n${fenced(pretty(part.input), 'json')}`
    case 'tool-result': {
      const what = part.isError ? 'error of' : 'result of'
      return `*${what}* \`${safeLine(part.callId)}\`\n\n${outputMarkdown(part.output)}`
    }
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
  switch (output.kind) {
    case 'text':
      return fenced(output.text, '')
    case 'json':
      return fenced(pretty(output.json), 'json')
    case 'parts':
      return output.parts.map(partMarkdown).join('\n\n')
  }
}

/** A fence that is longer than any in the text: nothing can close it from inside. */
function fenced(text: string, language: string): string {
  let longest = 2
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

function quoted(text: string): string {
  return text.replace(/^/gm, '> ')
}

function pretty(json: string): string {
  try {
    // Only for reading: numbers that JavaScript cannot hold stay as they are written.
    return /\d{16}/.test(json) ? json : JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json
  }
}
