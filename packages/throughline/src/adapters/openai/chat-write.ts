/**
 * Writes a context as a request of chat completions. Results must directly follow the message of their
 * call, so consecutive messages with calls are merged, and results move up to their call.
 */
import type { ContextMessage, Deliverable } from '../../domain/context.ts'
import type { JsonObject } from '../../domain/json.ts'
import type {
  FilePart,
  Part,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from '../../domain/message.ts'
import { runsOf } from '../alternate-messages.ts'
import { type Files, storedBase64 } from '../media.ts'
import { fillerText, outputText } from '../plain-text.ts'
import { isValid } from '../rules.ts'
import { type Fields, providerBlock } from '../unknown-json.ts'
import { wellFormed } from '../well-formed.ts'
import type { OpenaiChatRequest } from './chat-request.ts'
import { checkName, maxCallIdLength, maxNameLength, userPartRules } from './chat-rules.ts'
import { documentType, isImage, toDataUrl } from './content.ts'
import { keptFields, plainInput, sharedDetails, wireDetails } from './extra-fields.ts'
import { audioFormats } from './names-data.ts'
import { callsOf, isCallOrResult, pairedMessages, resultOf } from './pairs.ts'
import { functionName, safeCallId, writeTools } from './tools.ts'
import { type ContentForm, contentBlocks, shortest } from './write-content.ts'

export function writeChat(context: Deliverable): OpenaiChatRequest {
  const sameForm = withoutMixedPairs(context.messages)
  const messages = resultsAfterCalls(mergedCalls(pairedMessages(sameForm, isLegacy)))
  const tools = writeTools(context.tools, 'chat')
  const written = [
    ...instructionGroups(context.system).map(writeInstruction),
    ...messages.flatMap((message) => writeMessage(message, context.files) ?? []),
  ]
  const nonEmpty = written.length === 0 ? [fillerMessage] : written
  const request = { messages: nonEmpty, ...(tools.length === 0 ? {} : { tools }) }
  // Kept fields and opaque blocks are untyped JSON; `problems` checks them.
  return wellFormed<object>(request) as OpenaiChatRequest
}

/** Written if every message was omitted, because the service refuses an empty list. */
const fillerMessage: Fields = { role: 'user', content: fillerText }

function instructionGroups(system: readonly TextPart[]): readonly (readonly TextPart[])[] {
  return runsOf(system, ([first], { metadata }) => {
    const wasList = wireDetails(first.metadata, 'chat')['content'] === 'parts'
    return wasList && wireDetails(metadata, 'chat')['continues'] === true
  })
}

function writeInstruction(parts: readonly TextPart[]): Fields {
  const metadata = parts[0]?.metadata
  const kept = keptFields(wireDetails(metadata, 'chat')['message'], ['role', 'content'])
  return {
    ...keptFields(kept, isValid(kept['name'], checkName) ? [] : ['name']),
    role: instructionRole(sharedDetails(metadata)),
    content: contentOf(parts, 'system', new Map()) ?? '',
  }
}

function instructionRole({ role }: Fields): string {
  return role === 'developer' ? 'developer' : 'system'
}

/** Merges assistant messages between a call and its results into the message of the call. */
function mergedCalls(messages: readonly ContextMessage[]): readonly ContextMessage[] {
  const hasCall = (message: ContextMessage) =>
    message.role === 'assistant' && callsOf(message).some((call) => !isLegacy(call))
  return runsOf(messages, (run, next) => next.role === 'assistant' && run.some(hasCall)).map(
    (run) => ({ ...run[0], parts: run.flatMap(({ parts }) => parts) }),
  )
}

function resultsAfterCalls(messages: readonly ContextMessage[]): readonly ContextMessage[] {
  const answeredId = (message: ContextMessage) => {
    const result = resultOf(message)
    return result === null || isLegacy(result) ? null : result.callId
  }
  const resultsById = Map.groupBy(messages.entries(), ([, message]) => answeredId(message))
  return messages.flatMap((message) => {
    if (answeredId(message) !== null) return []
    const results = callsOf(message).flatMap((call) => {
      const result = isLegacy(call) ? undefined : resultsById.get(call.callId)?.shift()
      return result === undefined ? [] : [result]
    })
    // In the order of the log, not of the calls.
    results.sort(([oneIndex], [otherIndex]) => oneIndex - otherIndex)
    return [message, ...results.map(([, result]) => result)]
  })
}

function writeMessage(message: ContextMessage, files: Files): Fields | null {
  switch (message.role) {
    case 'system':
    case 'user': {
      const content = contentOf(message.parts, message.role, files)
      const role = message.role === 'user' ? 'user' : instructionRole(sharedDetails(message.meta))
      return content === null ? null : { ...speakerOf(message), role, content }
    }
    case 'assistant':
      return answerMessage(message, files)
    case 'tool':
      return toolResultMessage(message)
  }
}

/** A legacy `function_call` has no id; the next `function` message is its result. */
function isLegacy({ metadata }: Pick<Part, 'metadata'>): boolean {
  return wireDetails(metadata, 'chat')['legacy'] === true
}

/** Writes a legacy call or result in the current form if its other half has the current form. */
function withoutMixedPairs(messages: readonly ContextMessage[]): readonly ContextMessage[] {
  const callsAndResults = messages.flatMap(({ parts }) => parts.filter(isCallOrResult))
  const currentIds = new Set(callsAndResults.flatMap((part) => (isLegacy(part) ? [] : part.callId)))
  const inOneForm = (part: Part): Part =>
    isCallOrResult(part) && isLegacy(part) && currentIds.has(part.callId)
      ? { ...part, metadata: null }
      : part
  return messages.map((message) => ({ ...message, parts: message.parts.map(inOneForm) }))
}

function contentOf(parts: readonly Part[], role: ContextMessage['role'], files: Files) {
  const wasList = wireDetails(parts[0]?.metadata, 'chat')['content'] === 'parts'
  return shortest(contentBlocks(parts, role, files, contentForm), wasList)
}

const contentForm: ContentForm = { format: 'chat', fileBlock, userPartRules }

function fileBlock(part: FilePart, files: Files): JsonObject | null {
  const { mediaType, source, name } = part
  const wire = wireDetails(part.metadata, 'chat')
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
  const data = storedBase64(source, files)
  if (data === null) return null
  const url = toDataUrl({ mediaType, data })
  if (wire['block'] === 'file')
    return block('file', { file_data: url, ...(name === null ? {} : { filename: name }) })
  if (isImage(mediaType)) return block('image_url', { url })
  const format = audioFormats.get(mediaType)
  if (format !== undefined) return block('input_audio', { data, format })
  if (mediaType === documentType)
    return block('file', { file_data: url, filename: name ?? 'file.pdf' })
  return null
}

function speakerOf({ author, parts: [first] }: ContextMessage): JsonObject {
  const { message } = wireDetails(first?.metadata, 'chat')
  const kept = keptFields(message, ['role', 'content', 'name', 'tool_calls', 'tool_call_id'])
  // `answerMessage` writes these fields; it writes no null, so a null is kept here.
  const written = ['refusal', 'audio', 'function_call'].filter((field) => kept[field] !== null)
  // The service refuses blanks in names.
  const name = author?.replace(/[\s<|\\/>]+/g, '_').slice(0, maxNameLength) ?? ''
  return { ...keptFields(kept, written), ...(name === '' ? {} : { name }) }
}

function answerMessage(message: ContextMessage, files: Files): Fields | null {
  const refusals = message.parts.filter(isRefusalField)
  const contentParts = message.parts.filter((part) => !isRefusalField(part))
  const legacyCall = callsOf(message).find(isLegacy)
  const calls = callsOf(message).filter((call) => !isLegacy(call))
  // A request refers to an earlier audio reply by its id.
  const audio = message.parts
    .map((part) =>
      part.type === 'opaque' && part.kind === 'openai/audio' ? providerBlock(part, 'openai') : null,
    )
    .find((block) => typeof block?.['id'] === 'string')
  const content = contentOf(contentParts, 'assistant', files)
  const fields: JsonObject = {
    ...(refusals.length === 0 ? {} : { refusal: refusals.map(({ text }) => text).join('\n') }),
    ...(audio ? { audio } : {}),
    ...(legacyCall === undefined ? {} : { function_call: callBody(legacyCall, false) }),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(toolCall) }),
  }
  if (content === null && Object.keys(fields).length === 0) return null
  const wasAbsent = wireDetails(message.parts[0]?.metadata, 'chat')['content'] === 'absent'
  return {
    ...speakerOf(message),
    role: 'assistant',
    ...(content === null && wasAbsent ? {} : { content }),
    ...fields,
  }
}

function isRefusalField(part: Part): part is TextPart {
  if (part.type !== 'text' || sharedDetails(part.metadata)['refusal'] !== true) return false
  return wireDetails(part.metadata, 'chat')['part'] !== true
}

function toolCall(call: ToolCallPart): JsonObject {
  const custom = sharedDetails(call.metadata)['custom'] === true
  const type = custom ? 'custom' : 'function'
  const kept = keptFields(wireDetails(call.metadata, 'chat')['extra'], ['id', 'type', type])
  const id = safeCallId(call.callId, maxCallIdLength)
  return { ...kept, id, type, [type]: callBody(call, custom) }
}

function callBody({ name, input, metadata }: ToolCallPart, custom: boolean): JsonObject {
  const argument = custom ? { input: plainInput(input) } : { arguments: input }
  const { inner } = wireDetails(metadata, 'chat')
  const kept = keptFields(inner, ['name', ...Object.keys(argument)])
  return { ...kept, name: functionName(name), ...argument }
}

function toolResultMessage(message: ContextMessage): Fields | null {
  const result = resultOf(message)
  if (result === null) return null
  const wire = wireDetails(result.metadata, 'chat')
  const kept = keptFields(wire['extra'], ['role', 'content', 'tool_call_id'])
  if (wire['legacy'] === true) {
    const content = wire['null'] === true ? null : outputText(result.output)
    const name = functionName(result.name ?? 'function')
    return { ...kept, role: 'function', name, content }
  }
  const id = safeCallId(result.callId, maxCallIdLength)
  return { ...kept, role: 'tool', tool_call_id: id, content: resultContent(result) }
}

/** The service accepts only text in results, so images become text. */
function resultContent({ output, metadata }: ToolResultPart): string | readonly object[] {
  if (output.kind !== 'parts' || wireDetails(metadata, 'chat')['content'] !== 'parts')
    return outputText(output)
  const blocks = contentBlocks(output.parts, 'tool', new Map(), contentForm)
  return blocks.length === 0 ? '' : blocks
}
