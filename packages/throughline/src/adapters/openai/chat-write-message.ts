/** One message in the form of chat completions. */
import type { ContextMessage } from '../../domain/context.ts'
import type { JsonObject } from '../../domain/json.ts'
import type {
  FilePart,
  Part,
  Role,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from '../../domain/message.ts'
import type { Files } from '../media.ts'
import { outputText } from '../plain-text.ts'
import { ownBlock } from '../unknown-json.ts'
import { callIdMax, nameMax, userParts } from './chat-rules.ts'
import { audioFormatOf, documentType, isPicture, storedData, toDataUrl } from './content.ts'
import { factsOf, keptFields, plainInput, wireOf } from './notes.ts'
import { resultOf } from './pairs.ts'
import { callId, functionName } from './tools.ts'
import { type Content, type ContentForm, contentBlocks, shortest } from './write-content.ts'

/** The slice of the body that is ours; all other fields belong to the caller. */
export interface OpenaiChatRequest {
  readonly messages: readonly OpenaiChatMessage[]
  readonly tools?: readonly object[] | undefined
}

export interface OpenaiChatMessage {
  readonly role: string
  readonly content?: unknown
  readonly name?: unknown
  readonly refusal?: unknown
  readonly tool_calls?: unknown
  readonly tool_call_id?: unknown
}

/** Text where one text is all that there is and it came so; null where nothing is left. */
export function contentOf(parts: readonly Part[], role: Role, files: Files): Content | null {
  const listed = wireOf(parts[0]?.metadata, 'chat')['content'] === 'parts'
  return shortest(contentBlocks(parts, role, files, form), listed)
}

const form: ContentForm = { format: 'chat', fileBlock, userParts }

/** Null for a file of a kind that is not taken, or whose bytes are not at hand. */
function fileBlock(part: FilePart, files: Files): JsonObject | null {
  const { mediaType, source, name } = part
  const wire = wireOf(part.metadata, 'chat')
  const block = (type: string, inner: JsonObject): JsonObject => ({
    ...keptFields(wire['extra'], ['type', type]),
    type,
    [type]: {
      ...(wire['block'] === type ? keptFields(wire['inner'], Object.keys(inner)) : {}),
      ...inner,
    },
  })
  if (source.kind === 'url')
    return mediaType.startsWith('image/') && !source.url.startsWith('data:')
      ? block('image_url', { url: source.url })
      : null
  const data = storedData(part, files)
  if (data === null) return null
  const url = toDataUrl({ mediaType, data })
  if (wire['block'] === 'file')
    return block('file', { file_data: url, ...(name === null ? {} : { filename: name }) })
  if (isPicture(mediaType)) return block('image_url', { url })
  const format = audioFormatOf(mediaType)
  if (format !== null) return block('input_audio', { data, format })
  if (mediaType === documentType)
    return block('file', { file_data: url, filename: name ?? 'file.pdf' })
  return null
}

/** The name of the speaker, and what else stood at the message. */
export function speakerOf(message: ContextMessage): JsonObject {
  const { message: kept } = wireOf(message.parts[0]?.metadata, 'chat')
  const name = message.author === null ? '' : chatName(message.author)
  return { ...keptMessage(kept), ...(name === '' ? {} : { name }) }
}

/** Fields that we write ourselves are kept only where they were said to be none. */
function keptMessage(value: unknown): JsonObject {
  const kept = keptFields(value, ['role', 'content', 'name', 'tool_calls', 'tool_call_id'])
  const ours = ['refusal', 'audio', 'function_call'].filter((field) => kept[field] !== null)
  return keptFields(kept, ours)
}

/** People have blanks in their names, the service takes none; what it takes stays as it is. */
function chatName(author: string): string {
  return author.replace(/[\s<|\\/>]+/g, '_').slice(0, nameMax)
}

export function answerMessage(message: ContextMessage, files: Files): OpenaiChatMessage | null {
  const beside = message.parts.filter(isRefusalField)
  const spoken = message.parts.filter((part) => !isRefusalField(part))
  const calls = message.parts.filter((part) => part.type === 'tool-call')
  const content = contentOf(spoken, 'assistant', files)
  const fields: JsonObject = {
    ...(beside.length === 0 ? {} : { refusal: beside.map(({ text }) => text).join('\n') }),
    ...audioField(message.parts),
    ...callFields(calls),
  }
  if (content === null && Object.keys(fields).length === 0) return null
  const absent = wireOf(message.parts[0]?.metadata, 'chat')['content'] === 'absent'
  return {
    ...speakerOf(message),
    role: 'assistant',
    ...(content === null && absent ? {} : { content }),
    ...fields,
  }
}

function isRefusalField(part: Part): part is TextPart {
  if (part.type !== 'text' || !isRefusal(part)) return false
  return wireOf(part.metadata, 'chat')['part'] !== true
}

function isRefusal(part: TextPart): boolean {
  return factsOf(part.metadata)['refusal'] === true
}

/** A reply that was spoken is named by its id. */
function audioField(parts: readonly Part[]): JsonObject {
  for (const part of parts) {
    if (part.type !== 'opaque' || part.kind !== 'openai/audio') continue
    const audio = ownBlock(part, 'openai')
    if (typeof audio?.['id'] === 'string') return { audio }
  }
  return {}
}

function callFields(calls: readonly ToolCallPart[]): JsonObject {
  const legacy = calls.filter((call) => wireOf(call.metadata, 'chat')['legacy'] === true)
  const current = calls.filter((call) => !legacy.includes(call))
  const [first] = legacy
  return {
    ...(first === undefined ? {} : { function_call: callBody(first, 'arguments', first.input) }),
    ...(current.length === 0 ? {} : { tool_calls: current.map(toolCall) }),
  }
}

function toolCall(call: ToolCallPart): JsonObject {
  const custom = factsOf(call.metadata)['custom'] === true
  const wire = wireOf(call.metadata, 'chat')
  const kind = custom ? 'custom' : 'function'
  return {
    ...keptFields(wire['extra'], ['id', 'type', kind]),
    id: callId(call.callId, callIdMax),
    type: kind,
    [kind]: custom
      ? callBody(call, 'input', plainInput(call.input))
      : callBody(call, 'arguments', call.input),
  }
}

function callBody(call: ToolCallPart, argument: string, input: string): JsonObject {
  const { inner } = wireOf(call.metadata, 'chat')
  return {
    ...keptFields(inner, ['name', argument]),
    name: functionName(call.name),
    [argument]: input,
  }
}

export function toolResultMessage(message: ContextMessage): OpenaiChatMessage | null {
  const result = resultOf(message)
  if (result === null) return null
  const wire = wireOf(result.metadata, 'chat')
  const kept = keptFields(wire['extra'], ['role', 'content', 'tool_call_id'])
  if (wire['legacy'] === true) {
    const content = wire['null'] === true ? null : outputText(result.output)
    const name = functionName(result.name ?? 'function')
    return { ...kept, role: 'function', name, content }
  }
  const id = callId(result.callId, callIdMax)
  return { ...kept, role: 'tool', tool_call_id: id, content: resultContent(result) }
}

/** Results are text; a picture among them is put into words. */
function resultContent({ output, metadata }: ToolResultPart): string | readonly object[] {
  if (output.kind !== 'parts' || wireOf(metadata, 'chat')['content'] !== 'parts')
    return outputText(output)
  const blocks = contentBlocks(output.parts, 'tool', new Map(), form)
  return blocks.length === 0 ? '' : blocks
}
