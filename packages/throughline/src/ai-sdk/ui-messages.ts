/** Conversations as messages of the AI SDK's user interface (`UIMessage`), so that a page shows what the log has. */
import { namesOf, writePart } from '../adapters/ai-sdk/write-parts.ts'
import { base64Of } from '../adapters/media.ts'
import { type Fields, fieldsOf, isFilled } from '../adapters/unknown-json.ts'
import type { ConversationHandle } from '../conversation/handle.ts'
import { type Role, storedIn } from '../domain/message.ts'

/** Fits `UIMessage`. */
export interface StoredUiMessage {
  /** That of the message in the log: it stays the same. */
  readonly id: string
  readonly role: 'system' | 'user' | 'assistant'
  // Writable and loose, as those of the SDK: their types depend on your tools.
  parts: never[]
}

/**
 * All messages of a conversation for a page: one for each of the user's, and one for all that the assistant did
 * until the next. `convertToModelMessages` turns them into the prompt that the log continues.
 *
 * @example
 * const messages = await uiMessages(tl.conversation('invoice-7'))
 * // useChat({ messages }), or convertToModelMessages([...messages, message])
 */
export async function uiMessages(
  chat: Pick<ConversationHandle, 'messages' | 'file'>,
): Promise<StoredUiMessage[]> {
  const log = await Array.fromAsync(chat.messages())
  const files = new Map<string, Uint8Array>()
  for (const sha256 of new Set(log.flatMap(({ parts }) => storedIn(parts)))) {
    const bytes = await chat.file(sha256)
    if (bytes !== null) files.set(sha256, bytes)
  }
  const made = log.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool-call'))
  const calls = new Map(made.map((call) => [call.callId, namesOf(call)]))
  const shown: OpenMessage[] = []
  for (const { id, role, parts } of log) {
    const written = parts.map((part) => writePart(part, role, { files, calls }))
    const items = written.filter((part) => part !== null)
    if (items.length > 0) add(shown, role, items, id)
  }
  return shown.map(({ id, role, parts }) => ({ id, role, parts: parts as never[] }))
}

interface OpenMessage {
  readonly id: string
  readonly role: StoredUiMessage['role']
  readonly parts: Fields[]
}

function add(shown: OpenMessage[], role: Role, items: readonly Fields[], id: string): void {
  if (role === 'system' || role === 'user') {
    const parts = items.flatMap(speechPart)
    if (parts.length > 0) shown.push({ id, role, parts })
    return
  }
  const last = shown.at(-1)
  const open = last?.role === 'assistant' ? last : { id, role: 'assistant' as const, parts: [] }
  if (open !== last) shown.push(open)
  if (role === 'assistant') open.parts.push({ type: 'step-start' })
  for (const item of items) addReplyPart(open.parts, item)
}

function speechPart(item: Fields): readonly Fields[] {
  const { type, text, providerOptions } = item
  if (type === 'text') return [{ type, text, ...metadataOf(providerOptions) }]
  return type === 'file' || type === 'image' ? filePart(item) : []
}

function addReplyPart(parts: Fields[], item: Fields): void {
  const { type, text, kind, toolCallId, toolName, input, output, providerOptions } = item
  const metadata = metadataOf(providerOptions)
  switch (type) {
    case 'text':
    case 'reasoning':
      parts.push({ type, text, state: 'done', ...metadata })
      return
    case 'custom':
      parts.push({ type, kind, ...metadata })
      return
    case 'file':
      parts.push(...filePart(item))
      return
    case 'tool-call': {
      const { providerExecuted } = item
      parts.push({
        ...{ type: `tool-${toolName}`, toolCallId, state: 'input-available', input },
        ...(providerExecuted === undefined ? {} : { providerExecuted }),
        ...(providerOptions === undefined ? {} : { callProviderMetadata: providerOptions }),
      })
      return
    }
    case 'tool-approval-request': {
      const { approvalId: approval, isAutomatic, signature } = item
      const given = { id: approval, isAutomatic, signature }
      change(parts, toolCallId, () => ({ state: 'approval-requested', approval: given }))
      return
    }
    case 'tool-approval-response': {
      const { approvalId, approved, reason } = item
      const asked = parts.find((part) => fieldsOf(part['approval'])?.['id'] === approvalId)
      change(parts, asked?.['toolCallId'], (part) => ({
        state: 'approval-responded',
        approval: { ...fieldsOf(part['approval']), approved, reason },
      }))
      return
    }
    case 'tool-result':
      change(parts, toolCallId, () => resultFields(fieldsOf(output) ?? {}))
  }
}

function change(parts: Fields[], callId: unknown, fields: (part: Fields) => Fields): void {
  const at = parts.findLastIndex(({ toolCallId }) => isFilled(callId) && toolCallId === callId)
  const part = parts[at]
  if (part !== undefined) parts[at] = { ...part, ...fields(part) }
}

function resultFields({ type, value }: Fields): Fields {
  if (type === 'execution-denied') return { state: 'approval-responded' }
  if (type === 'error-text' || type === 'error-json')
    return {
      state: 'output-error',
      errorText: typeof value === 'string' ? value : JSON.stringify(value),
    }
  return { state: 'output-available', output: value }
}

function filePart({
  data,
  image,
  mediaType,
  filename,
  providerOptions,
}: Fields): readonly Fields[] {
  const given = data ?? image
  const { url: address, data: bytes } = fieldsOf(given) ?? {}
  const source =
    given instanceof Uint8Array || given instanceof URL ? given : (address ?? bytes ?? given)
  const type = isFilled(mediaType) ? mediaType : 'image/*'
  const text = source instanceof Uint8Array ? base64Of(source) : `${source}`
  const url = /^(?:data|https?):/.test(text) ? text : `data:${type};base64,${text}`
  const named = isFilled(filename) ? { filename } : {}
  return [{ type: 'file', mediaType: type, ...named, url, ...metadataOf(providerOptions) }]
}

function metadataOf(providerOptions: unknown): Fields {
  return providerOptions === undefined ? {} : { providerMetadata: providerOptions }
}
