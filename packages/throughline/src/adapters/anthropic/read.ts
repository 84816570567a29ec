/**
 * Reads a request of the Messages API. Fields that our messages lack are kept under `metadata.anthropic`;
 * unknown blocks become opaque parts, as JSON text.
 */
import type { ToolSchema } from '../../domain/context.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { FileInput, MessageInput, PartInput, TextInput } from '../../domain/message.ts'
import type { Reading } from '../../ports/adapter.ts'
import { keepExtraFields } from '../extra-fields.ts'
import { isCanonicalBase64 } from '../media.ts'
import {
  invalidMessage,
  type Readers,
  readByType,
  requireContent,
  requireFields,
  requireRole,
} from '../read-checks.ts'
import { type Fields, isFilled, isObject, jsonTextOf, listOf } from '../unknown-json.ts'

export function readAnthropic(request: object): Reading {
  const { system, messages, tools } = request as Fields
  return {
    system: readSystem(system),
    tools: listOf(tools).flatMap(readTool),
    messages: Array.from(listOf(messages), readMessage),
  }
}

function readSystem(system: unknown): Reading['system'] {
  if (typeof system === 'string')
    return [{ type: 'text', text: system, metadata: { anthropic: { string: true } } }]
  if (system === undefined || system === null) return []
  requireContent(system, 'anthropic-messages: system')
  return listOf(system).map((block, index) => {
    const part = isObject(block) ? readText(block, {}) : null
    if (part === null)
      throw invalidMessage(`anthropic-messages: system[${index}]`, 'must be a text block')
    return { type: 'text', text: part.text, metadata: part.metadata ?? null }
  })
}

/** The service accepts system messages from some callers only; we always read them. */
const messageRoles = ['user', 'assistant', 'system'] as const

function readMessage(message: unknown, index: number): MessageInput {
  const at = `anthropic-messages: messages[${index}]`
  const fields = requireFields(message, at)
  const role = requireRole(fields, messageRoles, at)
  requireContent(fields['content'], `${at}.content`)
  checkResults(listOf(fields['content']), `${at}.content`)
  const parts = readContent(fields['content'])
  if (role === 'system') return { role, content: parts, meta: systemMeta(fields) }
  if (role !== 'user') return { role, content: parts }
  const isToolMessage = parts.length > 0 && parts.every(({ type }) => type === 'tool-result')
  return { role: isToolMessage ? 'tool' : 'user', content: parts }
}

/** Says that the client's model takes system messages between the others, and keeps their other fields. */
function systemMeta({ role: _, content: __, ...fields }: Fields): JsonObject {
  const { metadata = { anthropic: {} } } = keepExtraFields('anthropic', {}, fields)
  return metadata
}

/** The output of a tool is text or blocks; an object would be read as empty. */
function checkResults(blocks: readonly unknown[], at: string): void {
  for (const [index, block] of blocks.entries()) {
    const { type, content } = requireFields(block, `${at}[${index}]`)
    if (type === 'tool_result' && content !== undefined && content !== null)
      requireContent(content, `${at}[${index}].content`)
  }
}

function readContent(content: unknown): readonly PartInput[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  const [first, ...others] = listOf(content)
  // Without this detail, `write` would turn a list of one text into a string.
  if (isObject(first) && first['type'] === 'text' && others.length === 0)
    return [readText(first, { listed: true }) ?? opaque(first)]
  return listOf(content).map(readBlock)
}

const readBlock = (block: unknown): PartInput => readByType(block, blockReaders) ?? opaque(block)

/** The blocks that a tool result may contain. */
const leafReaders: Readers<TextInput | FileInput> = {
  text: (block) => readText(block, {}),
  image: readMedia,
  document: readMedia,
}

const blockReaders: Readers<PartInput> = {
  ...leafReaders,
  thinking: readThinking,
  tool_use: readCall,
  tool_result: readResult,
}

function readThinking(block: Fields): PartInput | null {
  const { type: _, thinking, signature, ...rest } = block
  if (typeof thinking !== 'string' || typeof signature !== 'string') return null
  // The key says whose signature it is, even if nothing else is kept.
  const { metadata = { anthropic: {} } } = keepExtraFields('anthropic', {}, rest)
  return { type: 'reasoning', text: thinking, signature, metadata }
}

function readCall(block: Fields): PartInput | null {
  const { type: _, id: callId, name, input, ...rest } = block
  if (!isFilled(callId) || !isFilled(name) || input === undefined) return null
  const extra = keepExtraFields('anthropic', {}, rest)
  return { type: 'tool-call', callId, name, input: jsonTextOf(input), ...extra }
}

function readResult(block: Fields): PartInput | null {
  const { type: _, tool_use_id: callId, content, is_error: isError, ...rest } = block
  if (!isFilled(callId)) return null
  const details = content === undefined ? { content: 'absent' } : {}
  // False and absent mean the same; `write` restores the one that was read.
  const fields = isError === undefined || isError === true ? rest : { ...rest, is_error: isError }
  const parts = listOf(content).map((inner) => readByType(inner, leafReaders) ?? opaque(inner))
  return {
    type: 'tool-result',
    callId,
    output: Array.isArray(content)
      ? { kind: 'parts', parts: parts }
      : { kind: 'text', text: typeof content === 'string' ? content : '' },
    ...(isError === true ? { isError } : {}),
    ...keepExtraFields('anthropic', details, fields),
  }
}

function readText(block: Fields, details: Fields): TextInput | null {
  const { type, text, ...rest } = block
  if (type !== 'text' || typeof text !== 'string') return null
  return { type: 'text', text, ...keepExtraFields('anthropic', details, rest) }
}

function opaque(block: unknown) {
  const type = isObject(block) && isFilled(block['type']) ? block['type'] : 'unknown'
  return { type: 'opaque', kind: `anthropic/${type}`, json: jsonTextOf(block) } as const
}

function readMedia(block: Fields): FileInput | null {
  const { type, source, ...rest } = block
  if (!isObject(source)) return null
  const content = fileContent(type === 'image', source)
  if (content === null) return null
  const { type: _, media_type: __, data: ___, url: ____, ...sourceRest } = source
  const details = Object.keys(sourceRest).length > 0 ? { source: sourceRest } : {}
  const { title, ...fields } = rest
  if (type === 'image' || typeof title !== 'string')
    return { type: 'file', ...content, ...keepExtraFields('anthropic', details, rest) }
  return { type: 'file', ...content, name: title, ...keepExtraFields('anthropic', details, fields) }
}

function fileContent(isImage: boolean, { type, media_type: mediaType, data, url }: Fields) {
  if (type === 'url' && isFilled(url) && mediaType === undefined)
    return { mediaType: isImage ? 'image/*' : 'application/pdf', url }
  if (typeof data !== 'string' || !isFilled(mediaType)) return null
  if (type === 'base64' && isCanonicalBase64(data)) return { mediaType, data }
  if (type === 'text' && !isImage && mediaType === 'text/plain' && data.isWellFormed())
    return { mediaType, data: new TextEncoder().encode(data) }
  return null
}

/** A tool that the service runs or defines has no schema, so its whole definition is kept. */
function readTool(tool: unknown): readonly ToolSchema[] {
  if (!isObject(tool)) return []
  const { name, description, input_schema: schema, ...rest } = tool
  if (!isFilled(name) || !isObject(schema)) {
    const label = [name, tool['mcp_server_name'], tool['type']].find(isFilled) ?? 'unknown'
    return [{ name: label, metadata: { anthropic: { tool: tool as JsonObject } } }]
  }
  const parameters = schema as JsonObject
  if (typeof description === 'string')
    return [{ name, description, parameters, ...keepExtraFields('anthropic', {}, rest) }]
  const fields = description === undefined ? rest : { ...rest, description }
  return [{ name, parameters, ...keepExtraFields('anthropic', {}, fields) }]
}
