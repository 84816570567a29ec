/**
 * Items of the OpenAI Agents SDK as messages, one for each. The item itself is kept in the message's meta, and
 * given back from there; the parts are for the engine.
 */
import { imageFile, parseDataUrl, toDataUrl } from '../adapters/openai/content.ts'
import { type Fields, fieldsOf, isFilled, isObject, listOf } from '../adapters/unknown-json.ts'
import type { ContextMessage, Deliverable } from '../domain/context.ts'
import type { JsonObject } from '../domain/json.ts'
import {
  contentOf,
  type Message,
  type MessageInput,
  type PartInput,
  type ToolOutputInput,
} from '../domain/message.ts'
import { invalidOption } from '../flow/check/check-options.ts'

/** An `AgentInputItem`, typed by its shape. */
export interface AgentItem {
  readonly type?: string | undefined
  readonly role?: string | undefined
}

const metaKey = 'openai-agents'

export function readAgentItem(item: AgentItem): MessageInput {
  const fields = plainItem(item)
  const meta = { [metaKey]: { item: fields as JsonObject } }
  return { ...readItem(fields), meta }
}

/** Bytes become base64 text, which the SDK accepts in their place. */
function plainItem(item: AgentItem): Fields {
  const text = JSON.stringify(item, (_, value: unknown) =>
    value instanceof Uint8Array ? base64Of(value) : value,
  )
  const fields = text === undefined ? null : fieldsOf(JSON.parse(text))
  if (fields === null || (!isFilled(fields['type']) && !isFilled(fields['role'])))
    throw invalidOption('throughlineSession: an item needs a type or a role')
  return fields
}

function base64Of(bytes: Uint8Array): string {
  // In pieces: a function takes only so many arguments.
  let text = ''
  for (let at = 0; at < bytes.length; at += 8_192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8_192))
  return btoa(text)
}

const itemRoles = ['user', 'assistant', 'system'] as const

function readItem(item: Fields): MessageInput {
  const { type = 'message', role, content, callId, name, output } = item
  const itemRole = itemRoles.find((known) => known === role)
  if (type === 'message' && itemRole !== undefined)
    return typeof content === 'string'
      ? { role: itemRole, content }
      : { role: itemRole, content: listOf(content).map(readPart) }
  if (type === 'function_call' && isFilled(callId) && isFilled(name)) {
    const input = typeof item['arguments'] === 'string' ? item['arguments'] : '{}'
    return { role: 'assistant', content: [{ type: 'tool-call', callId, name, input }] }
  }
  if (type === 'function_call_result' && isFilled(callId)) {
    const result = { type: 'tool-result', callId, output: readOutput(output) } as const
    return { role: 'tool', content: [isFilled(name) ? { ...result, name } : result] }
  }
  const isResult = `${type}`.endsWith('_result') || `${type}`.endsWith('_output')
  // The SDK drops ids between a call and its session.
  const { id: _, ...compared } = item
  const opaque = {
    type: 'opaque',
    kind: `${metaKey}/${type}`,
    json: JSON.stringify(compared),
  } as const
  return { role: isResult ? 'tool' : 'assistant', content: [opaque] }
}

type LeafPart = Extract<PartInput, { type: 'text' | 'file' | 'opaque' }>

function readPart(value: unknown): LeafPart {
  const part = fieldsOf(value) ?? {}
  const { type, text, refusal, image } = part
  if (isFilled(text)) return { type: 'text', text }
  if (isFilled(refusal)) return { type: 'text', text: refusal }
  const source = fieldsOf(image)
  const url = isFilled(image) ? image : isFilled(source?.['url']) ? source['url'] : null
  const picture = url === null ? null : imageFile(url, undefined)
  if (picture !== null) return picture
  const bytes = isFilled(part['file']) ? parseDataUrl(part['file']) : null
  if (bytes !== null) return { type: 'file', ...bytes }
  return { type: 'opaque', kind: `${metaKey}/${type}`, json: JSON.stringify(part) }
}

function readOutput(output: unknown): ToolOutputInput {
  if (typeof output === 'string') return output
  const parts = (Array.isArray(output) ? output : [output]).map(readPart)
  const [first] = parts
  return parts.length === 1 && first?.type === 'text' ? first.text : { kind: 'parts', parts }
}

/** The item of a message; null for a message that was removed. Others' messages become items of text. */
export function agentItemOf(message: Pick<Message, 'role' | 'parts' | 'meta'>): AgentItem | null {
  return keptItem(message) ?? writtenItem(message, new Map())
}

function keptItem({ meta }: Pick<Message, 'meta'>): AgentItem | null {
  const kept = fieldsOf(fieldsOf(meta?.[metaKey])?.['item'])
  return kept === null ? null : { ...kept }
}

/** The items of a context: as the program passed them where they are shown whole, otherwise written again. */
export function writeAgentItems({ messages, files }: Deliverable): readonly AgentItem[] {
  const items = messages.flatMap((message) => {
    const kept = keptItem(message)
    const item = kept !== null && isWhole(message, kept) ? kept : writtenItem(message, files)
    return item === null ? [] : [item]
  })
  return items.filter(({ type }, index) => type !== 'reasoning' || isOfModel(items[index + 1]))
}

/** OpenAI refuses reasoning without the item that followed it. */
function isOfModel(item: AgentItem | undefined): boolean {
  if (item === undefined) return false
  return (
    item.role === 'assistant' || (item.type ?? '').endsWith('_call') || item.type === 'reasoning'
  )
}

function isWhole(shown: Pick<ContextMessage, 'parts'>, item: AgentItem): boolean {
  const { content } = readItem(fieldsOf(item) ?? {})
  const texts = typeof content === 'string' ? [content] : content.map(textOfInput)
  const ofShown = shown.parts.map((part) => contentOf(part).join('\n'))
  return texts.length === ofShown.length && texts.every((text, at) => text === ofShown[at])
}

function textOfInput(part: PartInput): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text
    case 'tool-call':
      return `${part.input}`
    case 'tool-result': {
      const { output } = part
      if (typeof output === 'string') return output
      if (output.kind !== 'parts') return output.kind === 'text' ? output.text : output.json
      return output.parts.flatMap((inner) => (inner.type === 'text' ? [inner.text] : [])).join('\n')
    }
    default:
      return ''
  }
}

function writtenItem(
  { role, parts }: Pick<Message, 'role' | 'parts'>,
  files: Deliverable['files'],
): AgentItem | null {
  const [first] = parts
  if (first === undefined) return null
  const text = parts.flatMap((part) => [...contentOf(part)]).join('\n')
  const status = 'completed'
  if (first.type === 'tool-call') {
    const { callId, name, input } = first
    return { type: 'function_call', callId, name, arguments: input, status } as AgentItem
  }
  if (first.type === 'tool-result') {
    const { callId, name } = first
    return {
      ...{ type: 'function_call_result', callId, name: name ?? 'tool', status },
      output: { type: 'text', text },
    } as AgentItem
  }
  if (first.type === 'opaque' && first.kind.startsWith(`${metaKey}/`)) {
    const item: unknown = JSON.parse(first.json)
    if (isObject(item)) return { ...item }
  }
  if (role === 'tool' || role === 'system') return { role: 'system', content: text } as AgentItem
  if (role === 'assistant')
    return { role, status, content: [{ type: 'output_text', text }] } as AgentItem
  const images = parts.flatMap((part) => {
    if (part.type !== 'file') return []
    const { source, mediaType } = part
    if (source.kind === 'url') return [{ type: 'input_image', image: source.url }]
    const bytes = files.get(source.sha256)
    if (bytes === undefined) return []
    return [{ type: 'input_image', image: toDataUrl({ mediaType, data: base64Of(bytes) }) }]
  })
  const content = images.length === 0 ? text : [{ type: 'input_text', text }, ...images]
  return { role, content } as AgentItem
}
