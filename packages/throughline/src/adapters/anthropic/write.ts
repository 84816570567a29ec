/**
 * Writes a context as a request of the Messages API. User and assistant messages alternate; tool results
 * are first in their message, tool calls last. Reasoning and opaque parts of another provider are omitted,
 * because the API checks signatures; parts for which the API has no block become text.
 */
import type { Deliverable, ToolSchema } from '../../domain/context.ts'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import type {
  FilePart,
  Part,
  ReasoningPart,
  ToolCallPart,
  ToolOutput,
  ToolResultPart,
} from '../../domain/message.ts'
import { extraFields, isServiceTool, providerDetails, recordAt } from '../extra-fields.ts'
import { base64Of, type Files, isWebAddress, storedBytes } from '../media.ts'
import {
  openingLength,
  type Side,
  type Turn,
  type TurnForm,
  type TurnItem,
  turnsOf,
} from '../paired-turns.ts'
import { fillerText, type OutputPart, outputText, wordsOf } from '../plain-text.ts'
import { validOrNull } from '../rules.ts'
import { firstOfName, safeName } from '../safe-name.ts'
import { type Fields, filledText, inputObject, isFields, ownBlock } from '../unknown-json.ts'
import { wellFormed } from '../well-formed.ts'
import { imageTypes } from './blocks-data.ts'
import { type Draft, isSealed, messageOf, withBreakpoints } from './cache.ts'
import type { AnthropicMessagesRequest } from './request.ts'
import { checkBlock, idRule, isBlank, isCall, loneServerTools, nameRule } from './rules.ts'

export function writeAnthropic(context: Deliverable): AnthropicMessagesRequest {
  const openingMessages = context.messages.slice(0, openingLength(context.messages))
  const system = [
    ...context.system.map(textBlock),
    ...openingMessages.flatMap(({ parts }) => parts.map(plainBlock)),
  ].filter((block) => block !== null)
  const tools = firstOfName(
    context.tools.map(toolBlock).filter((tool) => tool !== null),
    ({ name }) => name,
  )
  const draft = withBreakpoints(context, (messages) => ({
    system,
    tools,
    turns: turnsOf(messages, context.files, turnForm),
  }))
  // Kept fields and opaque blocks are untyped JSON; `problems` checks them.
  return wellFormed<object>(requestOf(draft, context)) as AnthropicMessagesRequest
}

const turnForm: TurnForm = {
  write: (part, side, files) => validOrNull(writePart(part, side, files), checkBlock(side)),
  idsOf: ({ type, id, tool_use_id: answered }) => ({
    call: type === 'tool_use' ? filledText(id) : null,
    result: type === 'tool_result' ? filledText(answered) : null,
  }),
  textBlockOf: (item) => (item.json['type'] === 'text' && !isSealed(item) ? item.json : null),
  isBlank,
  // The service refuses a server tool's call without its result, and the reverse.
  loneIn: (turns) => loneServerTools(turns.map(messageOf)),
  arrange: callsLast,
  filler: { type: 'text', text: fillerText },
}

/** In merged assistant messages, text after a call moves before it. */
function callsLast(turn: Turn): Turn {
  const { items } = turn
  const first = items.findIndex(({ call }) => call !== null)
  const spoken = items.findLastIndex(({ json }) => !isCall(json['type']))
  if (first < 0 || spoken < first) return turn
  const calls = items.filter(({ call }) => call !== null)
  return { ...turn, items: [...items.filter(({ call }) => call === null), ...calls] }
}

function requestOf({ system, tools, turns }: Draft, context: Deliverable) {
  // A system prompt that was read as a string is written as one, if nothing was added to it.
  const wasString = providerDetails(context.system[0]?.metadata, 'anthropic')['string'] === true
  return {
    ...(system.length === 0 ? {} : { system: (wasString ? plainText(system) : null) ?? system }),
    messages: turns.map(({ side, items }) => ({ role: side, content: contentOf(items, context) })),
    ...(tools.length === 0 ? {} : { tools }),
  }
}

/** A single text is written as a string, unless it was read as a list. */
function contentOf(items: readonly TurnItem[], { messages }: Deliverable) {
  const blocks = items.map(({ json }) => json)
  const [part] = messages[items[0]?.from ?? -1]?.parts ?? []
  const listed = providerDetails(part?.metadata, 'anthropic')['listed'] === true
  return (listed ? null : plainText(blocks)) ?? blocks
}

function plainText(blocks: readonly JsonObject[]): string | null {
  const [block] = blocks
  if (blocks.length !== 1 || block === undefined || Object.keys(block).length !== 2) return null
  const { type, text } = block
  return type === 'text' && typeof text === 'string' ? text : null
}

function toolBlock(tool: ToolSchema): JsonObject | null {
  const { name, description, parameters, metadata } = tool
  const details = providerDetails(metadata, 'anthropic')
  if (isFields(details['tool'])) return details['tool'] as JsonObject
  if (isServiceTool(tool)) return null
  return {
    ...extraFields(details),
    name: safeName(name, nameRule),
    ...(description === undefined ? {} : { description }),
    input_schema: inputSchema(parameters),
  }
}

/** Other services accept a tool without a schema, or a schema without a type. */
function inputSchema(parameters: JsonValue | undefined): JsonValue {
  if (parameters === undefined || parameters === null) return { type: 'object', properties: {} }
  if (!isFields(parameters) || parameters['type'] !== undefined) return parameters
  return { type: 'object', ...(parameters as JsonObject) }
}

function writePart(part: Part, side: Side, files: Files): JsonObject | null {
  switch (part.type) {
    case 'text':
    case 'resource-excerpt':
    case 'attachment-ref':
      return textBlock(part)
    case 'file':
      return (side === 'user' ? mediaBlock(part, files) : null) ?? textBlock(part)
    case 'reasoning':
      return side === 'assistant' ? thinkingBlock(part) : null
    case 'tool-call':
      return side === 'assistant' ? callBlock(part) : null
    case 'tool-result':
      return side === 'user' ? resultBlock(part, files) : null
    case 'opaque':
      return ownBlock(part, 'anthropic')
  }
}

/** Null for blank text, which the service refuses. */
function plainBlock(part: Part): JsonObject | null {
  const text = wordsOf(part)
  return text === null || isBlank(text) ? null : { type: 'text', text }
}

function textBlock(part: Part): JsonObject | null {
  const block = plainBlock(part)
  if (block === null || part.type !== 'text') return block
  return { ...extraFields(providerDetails(part.metadata, 'anthropic')), ...block }
}

/** Null for reasoning of other providers: this service accepts only its own signatures. */
function thinkingBlock({ text, signature, metadata }: ReasoningPart): JsonObject | null {
  if (signature === null || !isFields(metadata?.['anthropic'])) return null
  if (!text.isWellFormed() || !signature.isWellFormed()) return null
  const fields = extraFields(providerDetails(metadata, 'anthropic'))
  return { ...fields, type: 'thinking', thinking: text, signature }
}

function callBlock({ callId, name, input, metadata }: ToolCallPart): JsonObject {
  return {
    ...extraFields(providerDetails(metadata, 'anthropic')),
    type: 'tool_use',
    id: safeName(callId, idRule),
    name: safeName(name, nameRule),
    input: inputObject(input),
  }
}

/** The service requires text in every failed result. */
const failedText = 'failed'

function resultBlock(part: ToolResultPart, files: Files): JsonObject {
  const { callId, output, isError, metadata } = part
  const details = providerDetails(metadata, 'anthropic')
  const { is_error: explicit, content: _, ...fields } = extraFields(details)
  const content = isError ? failure(output) : success(output, details, files)
  return {
    ...fields,
    type: 'tool_result',
    tool_use_id: safeName(callId, idRule),
    ...(content === undefined ? {} : { content }),
    ...(isError ? { is_error: true } : explicit === false ? { is_error: explicit } : {}),
  }
}

function success(output: ToolOutput, details: Fields, files: Files): JsonValue | undefined {
  if (output.kind !== 'parts') {
    const text = outputText(output)
    return text === '' && details['content'] === 'absent' ? undefined : text
  }
  const blocks = output.parts.flatMap((part) => leafBlock(part, files) ?? [])
  return blocks.length === 0 && output.parts.length > 0 ? '' : blocks
}

/** The service accepts only text in a failed result. */
function failure(output: ToolOutput): JsonValue {
  if (output.kind !== 'parts') {
    const text = outputText(output)
    return isBlank(text) ? failedText : text
  }
  const blocks = output.parts.flatMap((part) => textBlock(part) ?? [])
  return blocks.length === 0 ? failedText : blocks
}

function leafBlock(part: OutputPart, files: Files): JsonObject | null {
  const shown = part.type === 'file' ? mediaBlock(part, files) : null
  const block = part.type === 'opaque' ? ownBlock(part, 'anthropic') : (shown ?? textBlock(part))
  return validOrNull(block, checkBlock('tool-result'))
}

function mediaBlock(file: FilePart, files: Files): JsonObject | null {
  const image = file.mediaType.startsWith('image/')
  const source = sourceOf(file, image, files)
  if (source === null) return null
  const details = providerDetails(file.metadata, 'anthropic')
  return {
    ...extraFields(details),
    ...(file.name === null || image ? {} : { title: file.name }),
    type: image ? 'image' : 'document',
    source: { ...recordAt(details, 'source'), ...source },
  }
}

function sourceOf({ mediaType, source }: FilePart, image: boolean, files: Files) {
  if (source.kind === 'url') {
    const taken = (image || mediaType === 'application/pdf') && isWebAddress(source.url)
    return taken ? { type: 'url', url: source.url } : null
  }
  const bytes = storedBytes(source, files)
  if (bytes === null) return null
  if (imageTypes.includes(mediaType) || mediaType === 'application/pdf')
    return { type: 'base64', media_type: mediaType, data: base64Of(bytes) }
  if (!mediaType.startsWith('text/') && mediaType !== 'application/json') return null
  const text = textOfBytes(bytes)
  return text === null ? null : { type: 'text', media_type: 'text/plain', data: text }
}

function textOfBytes(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}
