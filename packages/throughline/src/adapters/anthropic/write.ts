/**
 * Writes a context as a request of the Messages API. User and assistant messages alternate; tool results
 * are first in their message, tool calls last. Reasoning and opaque parts of another provider are omitted,
 * because the API checks signatures; parts for which the API has no block become text.
 */
import type { ContextMessage, Deliverable, ToolSchema } from '../../domain/context.ts'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import type {
  FilePart,
  Part,
  ReasoningPart,
  ToolCallPart,
  ToolOutput,
  ToolResultPart,
} from '../../domain/message.ts'
import {
  alternatingMessages,
  openingLength,
  type Side,
  type WireBlock,
  type WireForm,
  type WireMessage,
} from '../alternate-messages.ts'
import { extraFields, isServiceTool, objectAt, providerDetails } from '../extra-fields.ts'
import { base64Of, type Files, isWebAddress, storedBytes } from '../media.ts'
import { fillerText, type OutputPart, outputText, wordsOf } from '../plain-text.ts'
import { validOrNull } from '../rules.ts'
import { safeName, withoutDuplicateNames } from '../safe-name.ts'
import { type Fields, filledText, inputObject, isObject, providerBlock } from '../unknown-json.ts'
import { wellFormed } from '../well-formed.ts'
import { imageTypes, olderModels } from './blocks-data.ts'
import { isSentUnchanged, messageJson, type RequestBlocks, withBreakpoints } from './cache.ts'
import type { AnthropicMessagesRequest } from './request.ts'
import { checkBlock, idRule, isBlank, isCall, loneServerTools, nameRule } from './rules.ts'

export function writeAnthropic(context: Deliverable): AnthropicMessagesRequest {
  const openingMessages = context.messages.slice(0, openingLength(context.messages))
  const system = [
    ...context.system.map(textBlock),
    ...openingMessages.flatMap(({ parts }) => parts.map(plainBlock)),
  ].filter((block) => block !== null)
  const tools = withoutDuplicateNames(
    context.tools.map(toolBlock).filter((tool) => tool !== null),
    ({ name }) => name,
  )
  const blocks = withBreakpoints(context, (messages) => ({
    system,
    tools,
    messages: withSystemMessages(messages, context),
  }))
  // Kept fields and opaque blocks are untyped JSON; `problems` checks them.
  return wellFormed<object>(requestOf(blocks, context)) as AnthropicMessagesRequest
}

const wireForm: WireForm = {
  write: (part, side, files) => validOrNull(writePart(part, side, files), checkBlock(side)),
  idsOf: ({ type, id, tool_use_id: answeredId }) => ({
    callId: type === 'tool_use' ? filledText(id) : null,
    answeredId: type === 'tool_result' ? filledText(answeredId) : null,
  }),
  textBlockOf: (block) =>
    block.json['type'] === 'text' && !isSentUnchanged(block) ? block.json : null,
  isBlank,
  // The service refuses a server tool's call without its result, and the reverse.
  loneBlocksIn: (messages) => loneServerTools(messages.map(messageJson)),
  arrange: callsLast,
  filler: { type: 'text', text: fillerText },
}

/**
 * System messages stay between the others where the service accepts that: after the user, and before an
 * answer or at the end. Elsewhere, and for older models, they are notes of the user's side.
 */
function withSystemMessages(
  messages: readonly ContextMessage[],
  { files, model }: Deliverable,
): readonly WireMessage[] {
  let kept = new Set(model !== undefined && olderModels.test(model) ? [] : systemMessages(messages))
  for (;;) {
    const isSystemMessage = (message: ContextMessage) => kept.has(message)
    const others = alternatingMessages(messages, files, { ...wireForm, isSystemMessage })
    const placed = messages.flatMap((message, from) => {
      const found = kept.has(message) ? systemPlace(others, from) : null
      return found === null ? [] : [{ message, from, ...found }]
    })
    // Of several in one place, the newest stays.
    const valid = new Map(placed.filter(({ fits }) => fits).map((each) => [each.before, each]))
    if (valid.size === kept.size) return insertSystem(others, [...valid.values()])
    kept = new Set([...valid.values()].map(({ message }) => message))
  }
}

function systemMessages(messages: readonly ContextMessage[]): readonly ContextMessage[] {
  return messages
    .slice(openingLength(messages))
    .filter(
      ({ role, meta, parts }) =>
        role === 'system' &&
        isObject(meta?.['anthropic']) &&
        parts.every(({ type }) => type === 'text') &&
        parts.some((part) => textBlock(part) !== null),
    )
}

function systemPlace(others: readonly WireMessage[], from: number) {
  const next = others.findIndex(({ blocks }) => blocks.some((block) => block.from > from))
  const before = next < 0 ? others.length : next
  const [previous, following] = [others[before - 1], others[before]]
  const fits = previous?.side === 'user' && following?.side !== 'user'
  return { before, fits }
}

function insertSystem(
  others: readonly WireMessage[],
  placed: readonly {
    readonly message: ContextMessage
    readonly from: number
    readonly before: number
  }[],
): readonly WireMessage[] {
  const systemAt = new Map(placed.map((each) => [each.before, each]))
  const systemBefore = (index: number): readonly WireMessage[] => {
    const found = systemAt.get(index)
    if (found === undefined) return []
    const { message, from } = found
    const blocks = message.parts.flatMap((part) => {
      const json = textBlock(part)
      return json === null ? [] : [{ json, part, from, callId: null, answeredId: null }]
    })
    return [{ side: 'system', blocks }]
  }
  return [
    ...others.flatMap((message, index) => [...systemBefore(index), message]),
    ...systemBefore(others.length),
  ]
}

/** In merged assistant messages, text after a call moves before it. */
function callsLast({ side, blocks }: WireMessage): WireMessage {
  const firstCall = blocks.findIndex(({ callId }) => callId !== null)
  const lastOther = blocks.findLastIndex(({ json }) => !isCall(json['type']))
  // Calls of server tools stay where they are if only calls follow.
  if (firstCall < 0 || lastOther < firstCall) return { side, blocks }
  const calls = blocks.filter(({ callId }) => callId !== null)
  return { side, blocks: [...blocks.filter(({ callId }) => callId === null), ...calls] }
}

function requestOf({ system, tools, messages }: RequestBlocks, context: Deliverable) {
  // A system prompt that was read as a string is written as one, if nothing was added to it.
  const wasString = providerDetails(context.system[0]?.metadata, 'anthropic')['string'] === true
  return {
    ...(system.length === 0 ? {} : { system: wasString ? stringIfPlain(system) : system }),
    messages: messages.map(({ side, blocks }) => ({
      role: side,
      content: contentOf(blocks, context),
      ...(side === 'system' && systemFields(blocks, context)),
    })),
    ...(tools.length === 0 ? {} : { tools }),
  }
}

/** What `read` kept of a message of the system; the API refuses fields that it does not know. */
function systemFields([block]: readonly WireBlock[], { messages }: Deliverable): Fields {
  const details = providerDetails(messages[block?.from ?? -1]?.meta, 'anthropic')
  const { output_config: outputConfig } = extraFields(details)
  return outputConfig === undefined ? {} : { output_config: outputConfig }
}

/** A single text is written as a string, unless it was read as a list. */
function contentOf(blocks: readonly WireBlock[], { messages }: Deliverable) {
  const content = blocks.map(({ json }) => json)
  const [part] = messages[blocks[0]?.from ?? -1]?.parts ?? []
  const wasList = providerDetails(part?.metadata, 'anthropic')['listed'] === true
  return wasList ? content : stringIfPlain(content)
}

/** A single text block without other fields as a string; else the blocks. */
function stringIfPlain(blocks: readonly JsonObject[]): string | readonly JsonObject[] {
  const [block] = blocks
  if (blocks.length !== 1 || block === undefined || Object.keys(block).length !== 2) return blocks
  const { type, text } = block
  return type === 'text' && typeof text === 'string' ? text : blocks
}

function toolBlock(tool: ToolSchema): JsonObject | null {
  const { name, description, parameters, metadata } = tool
  const details = providerDetails(metadata, 'anthropic')
  if (isObject(details['tool'])) return details['tool'] as JsonObject
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
  if (!isObject(parameters) || parameters['type'] !== undefined) return parameters
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
      return providerBlock(part, 'anthropic')
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
  if (signature === null || !isObject(metadata?.['anthropic'])) return null
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
  const { is_error: readError, content: _, ...fields } = extraFields(details)
  const content = isError ? errorContent(output) : resultContent(output, details, files)
  return {
    ...fields,
    type: 'tool_result',
    tool_use_id: safeName(callId, idRule),
    ...(content === undefined ? {} : { content }),
    ...(isError || readError === false ? { is_error: isError } : {}),
  }
}

/** Undefined if the result was read without content. */
function resultContent(output: ToolOutput, details: Fields, files: Files): JsonValue | undefined {
  if (output.kind !== 'parts') {
    const text = outputText(output)
    return text === '' && details['content'] === 'absent' ? undefined : text
  }
  const blocks = output.parts.flatMap((part) => leafBlock(part, files) ?? [])
  return blocks.length === 0 && output.parts.length > 0 ? '' : blocks
}

/** The service accepts only text in a failed result. */
function errorContent(output: ToolOutput): JsonValue {
  if (output.kind !== 'parts') {
    const text = outputText(output)
    return isBlank(text) ? failedText : text
  }
  const blocks = output.parts.flatMap((part) => textBlock(part) ?? [])
  return blocks.length === 0 ? failedText : blocks
}

/** A block of a tool result, which contains no other blocks. */
function leafBlock(part: OutputPart, files: Files): JsonObject | null {
  const media = part.type === 'file' ? mediaBlock(part, files) : null
  const block =
    part.type === 'opaque' ? providerBlock(part, 'anthropic') : (media ?? textBlock(part))
  return validOrNull(block, checkBlock('tool-result'))
}

function mediaBlock(file: FilePart, files: Files): JsonObject | null {
  const isImage = file.mediaType.startsWith('image/')
  const source = sourceOf(file, isImage, files)
  if (source === null) return null
  const details = providerDetails(file.metadata, 'anthropic')
  return {
    ...extraFields(details),
    ...(file.name === null || isImage ? {} : { title: file.name }),
    type: isImage ? 'image' : 'document',
    source: { ...objectAt(details, 'source'), ...source },
  }
}

function sourceOf({ mediaType, source }: FilePart, isImage: boolean, files: Files) {
  if (source.kind === 'url') {
    const isAccepted = (isImage || mediaType === 'application/pdf') && isWebAddress(source.url)
    return isAccepted ? { type: 'url', url: source.url } : null
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
