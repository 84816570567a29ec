import type { ToolSchema } from '../../domain/context.ts'
import type { JsonObject } from '../../domain/json.ts'
import {
  type MessageInput,
  type Origin,
  type PartInput,
  roles,
  type TextInput,
  type TextPart,
  type ToolOutputInput,
} from '../../domain/message.ts'
import type { Reading } from '../../ports/adapter.ts'
import {
  invalidMessage,
  type Readers,
  readByType,
  requireContent,
  requireFields,
  requireRole,
  requireText,
} from '../read-checks.ts'
import { type NameRule, safeName } from '../safe-name.ts'
import {
  type Fields,
  isFilled,
  isJson,
  isObject,
  isPlain,
  jsonTextOf,
  listOf,
} from '../unknown-json.ts'
import { blankDetail, isBlank, jsonFields, metadataFor } from './extra-fields.ts'
import { readFile, readOpaque, readReasoningFile } from './files.ts'
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

/** `field` is `system`, the older name of the option, if the caller used it. */
function readInstructions(value: unknown, field: string | undefined): readonly TextPart[] {
  if (typeof value === 'string') {
    const metadata = metadataFor({}, [], { field, ...blankDetail(value) }) ?? null
    return [{ type: 'text', text: value, metadata }]
  }
  if (value === undefined || value === null) return []
  const listed = Array.isArray(value)
  const list: readonly unknown[] = listed ? value : [value]
  return Array.from(list, (message, index) => {
    const at = `ai-sdk: instructions${listed ? `[${index}]` : ''}`
    if (!isObject(message)) throw invalidMessage(at, 'must be text or a message of the system')
    requireText(message['content'], `${at}.content`)
    const text = String(message['content'])
    const details = { field, shape: listed ? 'list' : 'message', ...blankDetail(text) }
    return { type: 'text', text, metadata: metadataFor(message, messageFields, details) ?? null }
  })
}

/** Skips schemas made by code (zod, `jsonSchema`), because only plain JSON can be kept. */
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

function readMessage(value: unknown, index: number, previous: unknown): MessageInput {
  const at = `ai-sdk: messages[${index}]`
  const message = requireFields(value, at)
  const role = requireRole(message, roles, at)
  const { content } = message
  if (content === undefined && Array.isArray(message['parts']))
    throw invalidMessage(`${at}.content`, uiMessage)
  requireContent(content, `${at}.content`)
  for (const [partIndex, part] of listOf(content).entries())
    if (isObject(part) && part['type'] === 'tool-result')
      requireFields(part['output'], `${at}.content[${partIndex}].output`)
  const isSeparate = role === 'assistant' && isObject(previous) && previous['role'] === role
  const meta = metadataFor(message, messageFields, {
    system: role === 'system' || undefined,
    apart: isSeparate || undefined,
  })
  return { role, origin: originIn(message), content: readContent(content), meta }
}

function readContent(content: unknown): readonly PartInput[] {
  if (typeof content === 'string')
    return [{ type: 'text', text: content, metadata: metadataFor({}, [], blankDetail(content)) }]
  const [first, ...others] = listOf(content)
  // Without this detail, `write` would turn a list of one text into a string.
  if (isPlain(first) && first['type'] === 'text' && others.length === 0)
    return [readText(first, { listed: true }) ?? readOpaque(first)]
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

function readText(part: Fields, details: JsonObject): TextInput | null {
  const { text } = part
  if (typeof text !== 'string') return null
  const allDetails = { ...details, ...blankDetail(text) }
  const metadata = metadataFor(part, ['type', 'text'], allDetails)
  return { type: 'text', text, origin: originIn(part), metadata }
}

/** What the caller states as an option of ours; `append` checks it. */
function originIn({ providerOptions }: Fields): Origin | undefined {
  const own = isPlain(providerOptions) ? providerOptions['throughline'] : null
  return isPlain(own) ? (own['origin'] as Origin | undefined) : undefined
}

function readReasoning(part: Fields): PartInput | null {
  const { text, providerOptions } = part
  if (typeof text !== 'string') return null
  const anthropic = isPlain(providerOptions) ? providerOptions['anthropic'] : null
  const signature = isPlain(anthropic) ? anthropic['signature'] : null
  return {
    type: 'reasoning',
    text,
    // With Anthropic's signature in its own field, `anthropicMessages` can write the part too.
    signature: typeof signature === 'string' ? signature : undefined,
    metadata: {
      ...metadataFor(part, ['type', 'text'], { reasoning: true }),
      ...(typeof signature === 'string' ? { anthropic: {} } : {}),
    },
  }
}

export const callFields = ['type', 'toolCallId', 'toolName', 'input', 'providerExecuted']
export const resultFields = ['type', 'toolCallId', 'toolName', 'output']

/** Ids and names that every provider of the SDK accepts; the SDK itself accepts any. */
export const commonNameRule: NameRule = { pattern: /^[a-zA-Z0-9_-]+$/, maxLength: 64 }

function isCommon(name: string): boolean {
  return safeName(name, commonNameRule) === name
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
      // Other providers require an object.
      anyInput: (input !== undefined && !isPlain(input)) || undefined,
      named: !isCommon(toolCallId) || !isCommon(toolName) || undefined,
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
    origin: originIn(part),
    metadata: metadataFor(part, resultFields, { output: reading.details }),
  }
}

interface OutputReading {
  readonly output: ToolOutputInput
  readonly isError: boolean
  readonly details: JsonObject | undefined
}

function readOutput(output: Fields): OutputReading {
  const { type, value } = output
  const isError = type === 'error-text' || type === 'error-json'
  const others = jsonFields(output, ['type', 'value'])
  const details = Object.keys(others).length === 0 ? undefined : others
  if ((type === 'text' || type === 'error-text') && typeof value === 'string') {
    // Some providers refuse an error without text, so `write` restores it only with this type.
    const withType = isError && isBlank(value) ? { ...details, type } : details
    return { output: { kind: 'text', text: value }, isError, details: withType }
  }
  if ((type === 'json' || type === 'error-json') && isJson(value))
    return { output: { kind: 'json', json: jsonTextOf(value) }, isError, details }
  if (type === 'content' && Array.isArray(value)) {
    const parts = value.map(readItem)
    // The same for an empty list of parts.
    const withType = parts.length === 0 ? { ...details, type } : details
    return { output: { kind: 'parts', parts }, isError, details: withType }
  }
  if (type === 'execution-denied') {
    const text = denialText(output['reason'])
    const denied = { ...jsonFields(output, []), type }
    return { output: { kind: 'text', text }, isError: true, details: denied }
  }
  return { output: { kind: 'json', json: jsonTextOf(output) }, isError, details: undefined }
}

/** The SDK's own text if no reason was given. */
export function denialText(reason: unknown): string {
  return typeof reason === 'string' ? reason : 'Tool call execution denied.'
}

function readItem(item: unknown): Extract<PartInput, { type: 'text' | 'file' | 'opaque' }> {
  if (!isPlain(item)) return readOpaque(item)
  const { type } = item
  // `image` is a part of messages, not of outputs.
  const read = type === 'text' ? outputText(item) : type === 'image' ? null : readFile(item)
  return read ?? readOpaque(item)
}

/** Of a result, only the whole has an origin. */
function outputText(item: Fields): TextInput | null {
  const read = readText(item, {})
  return read && { ...read, origin: undefined }
}

const uiMessage =
  'must be text or an array of parts; convert UI messages, which have `parts`, with ' +
  'convertToModelMessages of the AI SDK'
