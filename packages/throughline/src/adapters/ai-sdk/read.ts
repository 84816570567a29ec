import type { ToolSchema } from '../../domain/context.ts'
import type { JsonObject } from '../../domain/json.ts'
import {
  type MessageInput,
  type PartInput,
  roles,
  type TextInput,
  type TextPart,
  type ToolOutputInput,
} from '../../domain/message.ts'
import type { Reading } from '../../ports/adapter.ts'
import {
  checkContent,
  checkText,
  fieldsAt,
  type Readers,
  readByType,
  roleAt,
  unreadable,
} from '../readable.ts'
import { type NameRule, safeName } from '../safe-name.ts'
import {
  type Fields,
  isFields,
  isFilled,
  isJson,
  isPlain,
  jsonTextOf,
  listOf,
} from '../unknown-json.ts'
import { readFile, readOpaque, readReasoningFile } from './files.ts'
import { blankNote, isBlank, jsonFields, metadataFor } from './notes.ts'
import type { AiSdkRequestInput } from './request.ts'

export function readAiSdk(options: AiSdkRequestInput): Reading {
  const { instructions, system, tools, ...rest } = options as unknown as Fields
  const messages = listOf(rest['messages'])
  return {
    system: readInstructions(instructions ?? system, instructions == null ? 'system' : undefined),
    tools: readTools(tools),
    messages: Array.from(messages, (message, index) =>
      readMessage(message, index, messages[index - 1]),
    ),
  }
}

const messageFields = ['role', 'content']

/** `field` is the older name of the option, if the caller used it. */
function readInstructions(value: unknown, field: string | undefined): readonly TextPart[] {
  if (typeof value === 'string') {
    const metadata = metadataFor({}, [], { field, ...blankNote(value) }) ?? null
    return [{ type: 'text', text: value, metadata }]
  }
  if (value === undefined || value === null) return []
  const listed = Array.isArray(value)
  const list: readonly unknown[] = listed ? value : [value]
  return Array.from(list, (message, index) => {
    const at = `ai-sdk: instructions${listed ? `[${index}]` : ''}`
    if (!isFields(message)) throw unreadable(at, 'must be text or a message of the system')
    checkText(message['content'], `${at}.content`)
    const text = String(message['content'])
    const notes = { field, shape: listed ? 'list' : 'message', ...blankNote(text) }
    return { type: 'text', text, metadata: metadataFor(message, messageFields, notes) ?? null }
  })
}

/** Schemas made by code (zod, `jsonSchema`) are the caller's: only plain JSON can be kept. */
function readTools(tools: unknown): readonly ToolSchema[] {
  const named = Array.isArray(tools)
    ? tools.map((tool): [unknown, unknown] => [isPlain(tool) ? tool['name'] : null, tool])
    : Object.entries(isPlain(tools) ? tools : {})
  return named.flatMap(([name, tool]) => {
    const schema = isPlain(tool) ? (tool['inputSchema'] ?? tool['parameters']) : null
    if (typeof name !== 'string' || name === '' || !isPlain(tool)) return []
    if (!isPlain(schema) || Object.getOwnPropertySymbols(schema).length > 0) return []
    const { description } = tool
    const described = typeof description === 'string' ? { description } : {}
    return isJson(schema) ? [{ name, parameters: schema, ...described }] : []
  })
}

function readMessage(value: unknown, index: number, before: unknown): MessageInput {
  const at = `ai-sdk: messages[${index}]`
  const message = fieldsAt(value, at)
  const role = roleAt(message, roles, at)
  const { content } = message
  if (content === undefined && Array.isArray(message['parts']))
    throw unreadable(`${at}.content`, uiMessage)
  checkContent(content, `${at}.content`)
  for (const [place, part] of listOf(content).entries())
    if (isFields(part) && part['type'] === 'tool-result')
      fieldsAt(part['output'], `${at}.content[${place}].output`)
  const apart = role === 'assistant' && isFields(before) && before['role'] === role
  const meta = metadataFor(message, messageFields, {
    system: role === 'system' ? true : undefined,
    apart: apart ? true : undefined,
  })
  return { role, content: readContent(content), meta }
}

function readContent(content: unknown): readonly PartInput[] {
  if (typeof content === 'string')
    return [{ type: 'text', text: content, metadata: metadataFor({}, [], blankNote(content)) }]
  const [only, ...more] = listOf(content)
  // Otherwise a list of one text would come back as the text alone.
  if (isPlain(only) && only['type'] === 'text' && more.length === 0)
    return [readText(only, { listed: true }) ?? readOpaque(only)]
  return listOf(content).map(readPart)
}

function readPart(part: unknown): PartInput {
  return (isPlain(part) ? readByType(part, partReaders) : null) ?? readOpaque(part)
}

const partReaders: Readers<PartInput> = {
  text: (part) => readText(part, {}),
  reasoning: readReasoning,
  file: readFile,
  image: readFile,
  'reasoning-file': readReasoningFile,
  'tool-call': readCall,
  'tool-result': readResult,
}

function readText(part: Fields, more: JsonObject): TextInput | null {
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
    // With Anthropic's seal in its own field the part can go to Anthropic directly.
    signature: typeof signature === 'string' ? signature : undefined,
    metadata: {
      ...metadataFor(part, ['type', 'text'], { reasoning: true }),
      ...(typeof signature === 'string' ? { anthropic: {} } : {}),
    },
  }
}

export const callFields = ['type', 'toolCallId', 'toolName', 'input', 'providerExecuted']
export const resultFields = ['type', 'toolCallId', 'toolName', 'output']

/** Ids and names that every provider of the SDK takes; the SDK itself takes anything. */
export const commonNames: NameRule = { allowed: /^[a-zA-Z0-9_-]+$/, lengthMax: 64 }

function isCommon(name: string): boolean {
  return safeName(name, commonNames) === name
}

function readCall(part: Fields): PartInput | null {
  const { toolCallId, toolName, input, providerExecuted } = part
  if (!isFilled(toolCallId) || !isFilled(toolName)) return null
  return {
    type: 'tool-call',
    callId: toolCallId,
    name: toolName,
    input: input === undefined ? '{}' : jsonTextOf(input),
    metadata: metadataFor(part, callFields, {
      // Other providers want an object.
      anyInput: input === undefined || isPlain(input) ? undefined : true,
      named: isCommon(toolCallId) && isCommon(toolName) ? undefined : true,
      providerExecuted: typeof providerExecuted === 'boolean' ? providerExecuted : undefined,
    }),
  }
}

function readResult(part: Fields): PartInput | null {
  const { toolCallId, toolName, output } = part
  if (!isFilled(toolCallId) || !isPlain(output)) return null
  const reading = readOutput(output)
  return {
    type: 'tool-result',
    callId: toolCallId,
    name: isFilled(toolName) ? toolName : undefined,
    output: reading.output,
    isError: reading.isError,
    metadata: metadataFor(part, resultFields, { output: reading.note }),
  }
}

interface OutputReading {
  readonly output: ToolOutputInput
  readonly isError: boolean
  readonly note: JsonObject | undefined
}

function readOutput(output: Fields): OutputReading {
  const { type, value } = output
  const isError = type === 'error-text' || type === 'error-json'
  const others = jsonFields(output, ['type', 'value'])
  const note = Object.keys(others).length === 0 ? undefined : others
  if ((type === 'text' || type === 'error-text') && typeof value === 'string') {
    // Not every provider takes an error without text.
    const empty = isError && isBlank(value)
    return {
      output: { kind: 'text', text: value },
      isError,
      note: empty ? { ...note, type } : note,
    }
  }
  if ((type === 'json' || type === 'error-json') && isJson(value))
    return { output: { kind: 'json', json: jsonTextOf(value) }, isError, note }
  if (type === 'content' && Array.isArray(value)) {
    const parts = value.map(readItem)
    // Not every provider takes a list of no parts.
    const typed = parts.length === 0 ? { ...note, type } : note
    return { output: { kind: 'parts', parts }, isError, note: typed }
  }
  if (type === 'execution-denied') {
    const text = denialText(output['reason'])
    const denied = { ...jsonFields(output, []), type }
    return { output: { kind: 'text', text }, isError: true, note: denied }
  }
  return { output: { kind: 'json', json: jsonTextOf(output) }, isError, note: undefined }
}

/** In the SDK's own words where no reason was given. */
export function denialText(reason: unknown): string {
  return typeof reason === 'string' ? reason : 'Tool call execution denied.'
}

function readItem(item: unknown): Extract<PartInput, { type: 'text' | 'file' | 'opaque' }> {
  if (!isPlain(item)) return readOpaque(item)
  const { type } = item
  // An image is a part of messages, never of outputs.
  const read = type === 'text' ? readText(item, {}) : type === 'image' ? null : readFile(item)
  return read ?? readOpaque(item)
}

const uiMessage =
  'must be text or an array of parts; messages of the user interface, which have parts instead, ' +
  'become those of a model by convertToModelMessages of the AI SDK'
