/**
 * A context in the form of chat completions.
 *
 * A call's results must stand directly behind its message, so messages that call one
 * after the other become one, and results are brought up to their call. Messages
 * that only speak stay as many as they are.
 */

import type { ContextMessage, Deliverable } from '../../domain/context.ts'
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
import { nothingText, outputText } from '../plain-text.ts'
import { isSound } from '../rules.ts'
import { type Fields, ownBlock } from '../unknown-json.ts'
import { wellFormed } from '../well-formed.ts'
import { callIdMax, checkName, nameMax, userParts } from './chat-rules.ts'
import { audioFormatOf, documentType, isPicture, storedData, toDataUrl } from './content.ts'
import { factsOf, keptFields, plainInput, wireOf } from './notes.ts'
import { callsOf, isCallOrResult, pairedMessages, resultOf } from './pairs.ts'
import { callId, functionName, writeTools } from './tools.ts'
import { type Content, type ContentForm, contentBlocks, shortest } from './write-content.ts'

export function writeChat(context: Deliverable): OpenaiChatRequest {
  const whole = withoutHalfLegacy(context.messages)
  const messages = inOrder(mergedCalls(pairedMessages(whole, isLegacy)))
  const tools = writeTools(context.tools, 'chat')
  const written = [
    ...instructionGroups(context.system).map(instruction),
    ...messages.flatMap((message) => writeMessage(message, context.files) ?? []),
  ]
  const messagesOrNothing = written.length === 0 ? [nothing] : written
  return wellFormed({ messages: messagesOrNothing, ...(tools.length === 0 ? {} : { tools }) })
}

/** Stands where everything was left out: the service takes no empty list. */
const nothing: OpenaiChatMessage = { role: 'user', content: nothingText }

function instructionGroups(system: readonly TextPart[]): readonly (readonly TextPart[])[] {
  const groups: TextPart[][] = []
  for (const part of system) {
    const group = groups.at(-1)
    const continues = wireOf(part.metadata, 'chat')['continues'] === true
    const open = wireOf(group?.[0]?.metadata, 'chat')['content'] === 'parts'
    if (group !== undefined && continues && open) group.push(part)
    else groups.push([part])
  }
  return groups
}

function instruction(parts: readonly TextPart[]): OpenaiChatMessage {
  const metadata = parts[0]?.metadata
  const kept = keptFields(wireOf(metadata, 'chat')['message'], ['role', 'content'])
  return {
    ...keptFields(kept, isSound((report) => checkName(kept['name'], '', report)) ? [] : ['name']),
    role: instructionRole(factsOf(metadata)),
    content: contentOf(parts, 'system', new Map()) ?? '',
  }
}

function instructionRole({ role }: Fields): string {
  return role === 'developer' ? 'developer' : 'system'
}

/** Assistant messages behind a call and before its results become one message with it. */
function mergedCalls(messages: readonly ContextMessage[]): readonly ContextMessage[] {
  const merged: ContextMessage[] = []
  for (const message of messages) {
    const last = merged.at(-1)
    if (last !== undefined && message.role === 'assistant' && waits(last))
      merged[merged.length - 1] = { ...last, parts: [...last.parts, ...message.parts] }
    else merged.push(message)
  }
  return merged
}

function waits(message: ContextMessage): boolean {
  return message.role === 'assistant' && callsOf(message).some((call) => !isLegacy(call))
}

/** Each message that calls, and directly behind it its results as they came. */
function inOrder(messages: readonly ContextMessage[]): readonly ContextMessage[] {
  const places = Map.groupBy(
    messages.keys(),
    (index) => resultOf(messages[index] as ContextMessage)?.callId ?? '',
  )
  const taken = new Set<number>()
  return messages.flatMap((message, index) => {
    const result = resultOf(message)
    if (result !== null && !isLegacy(result)) return []
    const behind = callsOf(message).flatMap((call) => {
      const place = places.get(call.callId)?.find((at) => at > index && !taken.has(at))
      if (place === undefined || isLegacy(call)) return []
      taken.add(place)
      return [place]
    })
    const results = behind.sort((one, other) => one - other).flatMap((at) => messages[at] ?? [])
    return [message, ...results]
  })
}

function writeMessage(message: ContextMessage, files: Files): OpenaiChatMessage | null {
  switch (message.role) {
    case 'system':
    case 'user': {
      const content = contentOf(message.parts, message.role, files)
      const role = message.role === 'user' ? 'user' : instructionRole(factsOf(message.meta))
      return content === null ? null : { ...speakerOf(message), role, content }
    }
    case 'assistant':
      return answerMessage(message, files)
    case 'tool':
      return toolResultMessage(message)
  }
}

/**
 * Calls of the days before `tool_calls` had no id, and were answered by the next function
 * message: both are written in the old form, or both in the new one.
 */
function isLegacy({ metadata }: Pick<Part, 'metadata'>): boolean {
  return wireOf(metadata, 'chat')['legacy'] === true
}

function withoutHalfLegacy(messages: readonly ContextMessage[]): readonly ContextMessage[] {
  const uses = messages.flatMap(({ parts }) => parts.filter(isCallOrResult))
  const current = new Set(uses.filter((part) => !isLegacy(part)).map(({ callId }) => callId))
  const whole = (part: Part): Part =>
    isCallOrResult(part) && isLegacy(part) && current.has(part.callId)
      ? { ...part, metadata: null }
      : part
  return messages.map((message) => ({ ...message, parts: message.parts.map(whole) }))
}

/** The slice of the body that is ours; all other fields belong to the caller. */
export interface OpenaiChatRequest {
  readonly messages: readonly OpenaiChatMessage[]
  readonly tools?: readonly object[] | undefined
}

interface OpenaiChatMessage {
  readonly role: string
  readonly content?: unknown
  readonly name?: unknown
  readonly refusal?: unknown
  readonly tool_calls?: unknown
  readonly tool_call_id?: unknown
}

/** Text where one text is all that there is and it came so; null where nothing is left. */
function contentOf(parts: readonly Part[], role: Role, files: Files): Content | null {
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
function speakerOf(message: ContextMessage): JsonObject {
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

function answerMessage(message: ContextMessage, files: Files): OpenaiChatMessage | null {
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
  if (part.type !== 'text' || factsOf(part.metadata)['refusal'] !== true) return false
  return wireOf(part.metadata, 'chat')['part'] !== true
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
  const legacy = calls.find(isLegacy)
  const current = calls.filter((call) => !isLegacy(call))
  return {
    ...(legacy === undefined ? {} : { function_call: callBody(legacy, false) }),
    ...(current.length === 0 ? {} : { tool_calls: current.map(toolCall) }),
  }
}

function toolCall(call: ToolCallPart): JsonObject {
  const custom = factsOf(call.metadata)['custom'] === true
  const type = custom ? 'custom' : 'function'
  const kept = keptFields(wireOf(call.metadata, 'chat')['extra'], ['id', 'type', type])
  return { ...kept, id: callId(call.callId, callIdMax), type, [type]: callBody(call, custom) }
}

function callBody({ name, input, metadata }: ToolCallPart, custom: boolean): JsonObject {
  const argument = custom ? { input: plainInput(input) } : { arguments: input }
  const kept = keptFields(wireOf(metadata, 'chat')['inner'], ['name', ...Object.keys(argument)])
  return { ...kept, name: functionName(name), ...argument }
}

function toolResultMessage(message: ContextMessage): OpenaiChatMessage | null {
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
