/** Options of the AI SDK, read: instructions, schemas of tools, messages. */
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import type { TextPart } from '../../domain/message.ts'
import type { MessageInput, PartInput } from '../../domain/message-input.ts'
import type { ToolSchema } from '../../domain/tool-schema.ts'
import type { Reading } from '../../ports/adapter.ts'
import { type Fields, isJson, isPlain, listOf } from '../unknown-json.ts'
import { readFile } from './file.ts'
import { blankNote, metadataFor } from './notes.ts'
import { readOpaque, readReasoningFile } from './opaque.ts'
import { readCall, readResult } from './read-tools.ts'
import { type ReadableMessage, readableInstructions, readableMessages } from './readable.ts'
import type { AiSdkRequestInput } from './request.ts'

export function readAiSdk(options: AiSdkRequestInput): Reading {
  const { instructions, system, messages, tools } = options as unknown as Fields
  return {
    system: readInstructions(instructions ?? system, instructions == null ? 'system' : undefined),
    tools: readTools(tools),
    messages: readableMessages(listOf(messages)).map(readMessage),
  }
}

const messageFields = ['role', 'content']

/** `field` is the older name of the option, where the caller used it. */
function readInstructions(value: unknown, field: string | undefined): readonly TextPart[] {
  if (typeof value === 'string')
    return [
      {
        type: 'text',
        text: value,
        metadata: metadataFor({}, [], { field, ...blankNote(value) }) ?? null,
      },
    ]
  if (value === undefined || value === null) return []
  const shape = Array.isArray(value) ? 'list' : 'message'
  return readableInstructions(value).map((message) => {
    const text = message.content
    const notes = { field, shape, ...blankNote(text) }
    return { type: 'text', text, metadata: metadataFor(message, messageFields, notes) ?? null }
  })
}

/** Schemas that code makes (zod, `jsonSchema`) are the caller's: only plain JSON can be kept. */
function readTools(tools: unknown): readonly ToolSchema[] {
  const named = Array.isArray(tools)
    ? tools.map((tool): [unknown, unknown] => [isPlain(tool) ? tool['name'] : null, tool])
    : Object.entries(isPlain(tools) ? tools : {})
  return named.flatMap(([name, tool]) => {
    const schema = isPlain(tool) ? (tool['inputSchema'] ?? tool['parameters']) : null
    if (typeof name !== 'string' || name === '' || !isPlain(tool)) return []
    if (!isPlain(schema) || Object.getOwnPropertySymbols(schema).length > 0) return []
    return isJson(schema) ? [toolSchema(name, tool['description'], schema)] : []
  })
}

function toolSchema(name: string, description: unknown, parameters: JsonValue): ToolSchema {
  return { name, parameters, ...(typeof description === 'string' ? { description } : {}) }
}

function readMessage(
  message: ReadableMessage,
  index: number,
  all: readonly ReadableMessage[],
): MessageInput {
  const { role, content } = message
  const meta = metadataFor(message, messageFields, {
    system: role === 'system' ? true : undefined,
    apart: role === 'assistant' && all[index - 1]?.role === role ? true : undefined,
  })
  return { role, content: readContent(content), meta }
}

function readContent(content: unknown): readonly PartInput[] {
  if (typeof content === 'string')
    return [{ type: 'text', text: content, metadata: metadataFor({}, [], blankNote(content)) }]
  const [only, ...more] = listOf(content)
  // A list of one text would else come back as the text alone.
  if (isPlain(only) && only['type'] === 'text' && more.length === 0)
    return [readText(only, { listed: true }) ?? readOpaque(only)]
  return listOf(content).map(readPart)
}

function readPart(part: unknown): PartInput {
  if (!isPlain(part)) return readOpaque(part)
  switch (part['type']) {
    case 'text':
      return readText(part, {}) ?? readOpaque(part)
    case 'reasoning':
      return readReasoning(part) ?? readOpaque(part)
    case 'file':
    case 'image':
      return readFile(part) ?? readOpaque(part)
    case 'reasoning-file':
      return readReasoningFile(part)
    case 'tool-call':
      return readCall(part) ?? readOpaque(part)
    case 'tool-result':
      return readResult(part) ?? readOpaque(part)
    default:
      return readOpaque(part)
  }
}

function readText(part: Fields, more: JsonObject): PartInput | null {
  const { text } = part
  if (typeof text !== 'string') return null
  const notes = { ...more, ...blankNote(text) }
  return { type: 'text', text, metadata: metadataFor(part, ['type', 'text'], notes) }
}

function readReasoning(part: Fields): PartInput | null {
  const { text, providerOptions } = part
  if (typeof text !== 'string') return null
  const anthropic = isPlain(providerOptions) ? providerOptions['anthropic'] : null
  const signature = isPlain(anthropic) ? anthropic['signature'] : null
  return {
    type: 'reasoning',
    text,
    // Anthropic's seal has a field of its own; with it the part can go to Anthropic directly.
    signature: typeof signature === 'string' ? signature : undefined,
    metadata: {
      ...metadataFor(part, ['type', 'text'], { reasoning: true }),
      ...(typeof signature === 'string' ? { anthropic: {} } : {}),
    },
  }
}
