/** Reads a conversation of OpenAI chat messages; a legacy result names no call: it answers the last. */
import type { FileInput, MessageInput, PartInput, TextInput } from '../../index.ts'
import {
  contentParts,
  fileAt,
  opaquePart,
  type PlainPart,
  textPart,
  toolOutput,
  unknownPart,
} from '../content-parts.ts'
import { metaOf } from '../json/json-access.ts'
import type { JsonNode } from '../json/raw-json.ts'
import { usageIn } from '../transcript.ts'
import { anthropicParts, userRole } from './anthropic-content.ts'
import { originIn, ownParts, roles } from './throughline.ts'

export type ParsedChatMessage = Pick<
  MessageInput,
  'role' | 'origin' | 'content' | 'author' | 'meta'
>
/** Null for an unknown role. */
type ReadMessage = ParsedChatMessage | null

export class ChatMessages {
  #lastFunctionCall: string | null = null

  /** A call without an id gets one from `fallbackId`. */
  read(message: JsonNode, fallbackId: string, role = message.text('role')): ReadMessage {
    const content = chatParts(message.field('content'))
    const author = message.filled('name') ?? undefined
    switch (role) {
      case 'system':
        return { role, content, author }
      case 'developer':
        return { role: 'system', content, author, meta: { role } }
      case 'user':
        return { role, content: [...content, ...chatCalls(message, fallbackId)], author }
      case 'assistant':
        return { role, content: this.#answer(message, content, fallbackId), author }
      case 'tool': {
        const callId = message.filled('tool_call_id') ?? message.filled('id') ?? fallbackId
        return { role, content: [resultPart(message, callId, content)] }
      }
      case 'function': {
        const callId = this.#lastFunctionCall ?? fallbackId
        return { role: 'tool', content: [resultPart(message, callId, content)] }
      }
      default:
        return null
    }
  }

  #answer(message: JsonNode, content: readonly PlainPart[], fallbackId: string): PartInput[] {
    const reasoning = message.text('reasoning_content') ?? message.text('reasoning')
    const refusal = message.text('refusal')
    const legacy = functionCall(message, `${fallbackId}.function_call`)
    if (legacy !== null) this.#lastFunctionCall = `${fallbackId}.function_call`
    return [
      ...(reasoning ? [{ type: 'reasoning', text: reasoning } as const] : []),
      ...content,
      ...(refusal ? [refusalPart(refusal)] : []),
      ...(legacy === null ? [] : [legacy]),
      ...chatCalls(message, fallbackId),
    ]
  }
}

function resultPart(message: JsonNode, callId: string, content: readonly PlainPart[]): PartInput {
  return {
    type: 'tool-result',
    callId,
    name: message.filled('name') ?? undefined,
    output: toolOutput(content),
    isError: message.get('error') === true,
    metadata: metaOf({ requestor: message.text('requestor') }),
  }
}

export const chatUsage = (usage: JsonNode) => usageIn(usage, 'openai')

export function chatParts(content: JsonNode): PlainPart[] {
  return contentParts(content, contentPart)
}

function contentPart(part: JsonNode): PlainPart {
  if (part.asText !== null) return textPart(part.asText)
  const [text, refusal] = [part.text('text'), part.text('refusal')]
  switch (part.text('type')) {
    case 'text':
    case 'input_text':
    case 'output_text':
      return text === null ? unknownPart('openai', part) : textPart(text)
    case 'refusal':
      return refusal === null ? unknownPart('openai', part) : refusalPart(refusal)
    case 'image_url':
    case 'input_image':
      return imagePart(part.field('image_url')) ?? unknownPart('openai', part)
    default:
      return unknownPart('openai', part)
  }
}

function imagePart(image: JsonNode): FileInput | null {
  return fileAt(image.asText ?? image.text('url') ?? '', 'image/*')
}

function refusalPart(text: string): TextInput {
  return { type: 'text', text, metadata: { refusal: true } }
}

function chatCalls(message: JsonNode, fallbackId: string): PartInput[] {
  return message
    .list('tool_calls')
    .map((call, index) => callPart(call, call.filled('id') ?? `${fallbackId}.tool_calls[${index}]`))
}

function callPart(call: JsonNode, callId: string): PartInput {
  const kind = ['function', 'custom'].find((key) => call.has(key))
  const body = kind === undefined ? call : call.field(kind)
  const name = body.filled('name')
  if (name === null) return opaquePart('openai/tool_call', call)
  const input = kind === 'custom' ? body.field('input').exact('{}') : argumentsText(body)
  // tau2-bench: users call tools too, and `requestor` says who did.
  const metadata = metaOf({ requestor: call.text('requestor') })
  return { type: 'tool-call', callId, name, input, metadata }
}

function argumentsText(call: JsonNode): string {
  return call.text('arguments') ?? call.field('arguments').exact('{}')
}

/** The form before `tool_calls`: at most one call, without an id. */
function functionCall(message: JsonNode, callId: string): PartInput | null {
  const call = message.field('function_call')
  const name = call.filled('name')
  return name === null ? null : { type: 'tool-call', callId, name, input: argumentsText(call) }
}

/** Reads a message in the form of Anthropic, of OpenAI or of our own `MessageInput`. */
export function readAnyForm(chat: ChatMessages, message: JsonNode, fallbackId: string) {
  const own = ownParts(message.field('content')) ?? []
  const origin = originIn(message)
  const isOwn = own.some(
    (part) => part.type !== 'text' || (part.metadata ?? part.origin) !== undefined,
  )
  if (!isOwn && !hasBlocks(message)) {
    const read = chat.read(message, fallbackId)
    return read && { ...read, origin }
  }
  const parts = isOwn ? own : anthropicParts(message.field('content'))
  const content = [...parts, ...chatCalls(message, fallbackId)]
  const author = message.filled('name') ?? undefined
  const role = roles.find((known) => known === message.text('role'))
  if (isOwn) return role === undefined ? null : { role, origin, content, author }
  const isOther = role === 'assistant' || role === 'tool'
  return { role: isOther ? role : userRole(content), origin, content, author }
}

/** Whether a message has Anthropic's form; tool results have OpenAI's unless their blocks say otherwise. */
function hasBlocks(message: JsonNode): boolean {
  const role = message.text('role')
  const isBlock = (block: JsonNode) => {
    const type = block.text('type') ?? ''
    if (role === 'tool') return type === 'tool_result'
    return blockTypes.includes(type) || (sourcedTypes.includes(type) && block.has('source'))
  }
  return ['user', 'assistant', 'tool'].includes(role ?? '') && message.list('content').some(isBlock)
}

const blockTypes = ['tool_use', 'tool_result', 'thinking', 'redacted_thinking']
const sourcedTypes = ['image', 'document']
