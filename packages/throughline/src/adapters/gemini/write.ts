/**
 * Writes a context as a request of generateContent. Contents alternate, and every call is answered in the
 * next one. Sealed parts of other providers are omitted; parts that the service lacks become text.
 */
import type { Deliverable, ToolSchema } from '../../domain/context.ts'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import type {
  FilePart,
  OpaquePart,
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
import { type Files, isWebAddress, storedBase64 } from '../media.ts'
import { fillerText, type OutputPart, outputText, wordsOf } from '../plain-text.ts'
import { validOrNull } from '../rules.ts'
import { safeName, withoutDuplicateNames } from '../safe-name.ts'
import { type Fields, inputObject, isObject, parsedJson, providerBlock } from '../unknown-json.ts'
import { wellFormed } from '../well-formed.ts'
import { sideFields, writtenDataFields } from './fields-data.ts'
import type { GeminiContentsRequest } from './request.ts'
import {
  checkPart,
  dataField,
  isResponsePart,
  isSignature,
  lonePartsIn,
  nameRule,
} from './rules.ts'

export function writeGemini(context: Deliverable): GeminiContentsRequest {
  const messages = alternatingMessages(context.messages, context.files, wireForm)
  const request = requestOf(context, messages.map(withResponseNames).map(withSignature))
  return wellFormed<object>(request) as GeminiContentsRequest
}

const wireForm: WireForm = {
  write: (part, side, files) => {
    const role = side === 'assistant' ? 'model' : 'user'
    return validOrNull(writePart(part, side, files), checkPart(role))
  },
  // `withResponseNames` sets ids and names once the message of a part is known.
  idsOf: (_, part) => ({
    callId: part.type === 'tool-call' ? part.callId : null,
    answeredId: part.type === 'tool-result' ? part.callId : null,
  }),
  textBlockOf: ({ json }) => {
    const { thoughtSignature: _, ...part } = json
    return typeof part['text'] === 'string' ? part : null
  },
  isBlank: (text) => text.trim() === '',
  loneBlocksIn: (messages) => lonePartsIn(messages.map(partsOf)),
  arrange: (message) => message,
  filler: { text: fillerText },
}

function partsOf({ blocks }: WireMessage): readonly JsonObject[] {
  return blocks.map(({ json }) => json)
}

/** Responses have the id and the name of their call, which is in the message before. */
function withResponseNames(message: WireMessage, index: number, all: readonly WireMessage[]) {
  const { side, blocks } = message
  const calls = all[index - 1]?.blocks.filter(({ callId }) => callId !== null) ?? []
  const named = blocks.map((block) => {
    const call = calls.find(({ callId }) => callId === block.answeredId)
    return block.answeredId === null || call === undefined ? block : nameResponse(block, call)
  })
  return { side, blocks: inOrderOfCalls(named, calls) }
}

function nameResponse(block: WireBlock, call: WireBlock): WireBlock {
  const { id, name } = objectAt(call.json, 'functionCall')
  const { name: _, ...response } = objectAt(block.json, 'functionResponse')
  const wasReadWithoutId = providerDetails(block.part?.metadata, 'google')['id'] === false
  const functionResponse = {
    ...(id === undefined || wasReadWithoutId ? {} : { id }),
    ...(name === undefined ? {} : { name }),
    ...response,
  }
  return { ...block, json: { ...block.json, functionResponse } }
}

/** Responses without ids answer the calls of one name in the order of the calls. */
function inOrderOfCalls(blocks: readonly WireBlock[], calls: readonly WireBlock[]) {
  const callIndex = (block: WireBlock) =>
    calls.findIndex(({ callId }) => callId === block.answeredId)
  /** Null for blocks that stay where they are. */
  const nameIfWithoutId = (block: WireBlock): unknown => {
    const { id, name } = objectAt(block.json, 'functionResponse')
    return block.answeredId === null || id !== undefined ? null : name
  }
  const queues = Map.groupBy(blocks, nameIfWithoutId)
  for (const queue of queues.values()) queue.sort((one, other) => callIndex(one) - callIndex(other))
  return blocks.map((block) => {
    const name = nameIfWithoutId(block)
    return name === null ? block : (queues.get(name)?.shift() ?? block)
  })
}

/**
 * Gemini 3 refuses calls of the current turn without a thought signature. For calls of other models, Google
 * documents this text instead. It is set on the first call of each step and stays there in later turns, so
 * that the cached prefix does not change. Calls that were read from Gemini stay unchanged.
 */
const foreignSignature = 'skip_thought_signature_validator'

function withSignature(message: WireMessage): WireMessage {
  const callIndex = message.blocks.findIndex(({ callId }) => callId !== null)
  const call = message.blocks[callIndex]
  if (call === undefined || call.json['thoughtSignature'] !== undefined) return message
  const isOfGemini = providerDetails(call.part?.metadata, 'google')['own'] === true
  if (isOfGemini && call.part?.type === 'tool-call' && isUnchanged(call.part)) return message
  const json = { ...call.json, thoughtSignature: foreignSignature }
  return { ...message, blocks: message.blocks.with(callIndex, { ...call, json }) }
}

function requestOf(context: Deliverable, messages: readonly WireMessage[]) {
  const openingMessages = context.messages.slice(0, openingLength(context.messages))
  const system = [...context.system, ...openingMessages.flatMap(({ parts }) => parts)].flatMap(
    systemPart,
  )
  // The service ignores the role of the instruction; it is written as it was read.
  const { role } = objectAt(providerDetails(context.system[0]?.metadata, 'google'), 'content')
  const systemRole = typeof role === 'string' ? { role } : {}
  const tools = toolEntries(context.tools)
  const roleOf = ({ side, blocks }: WireMessage) => {
    const meta = context.messages[blocks[0]?.from ?? -1]?.meta
    if (messages.length === 1 && providerDetails(meta, 'google')['role'] === 'absent') return {}
    return { role: side === 'assistant' ? 'model' : 'user' }
  }
  return {
    ...(system.length === 0 ? {} : { systemInstruction: { ...systemRole, parts: system } }),
    contents: messages.map((message) => ({ ...roleOf(message), parts: partsOf(message) })),
    ...(tools.length === 0 ? {} : { tools }),
  }
}

function systemPart(part: Part): readonly JsonObject[] {
  const text = wordsOf(part)
  if (text === null || text === '') return []
  return [{ ...sideFieldsIn(providerDetails(part.metadata, 'google')), text }]
}

function toolEntries(tools: readonly ToolSchema[]): readonly JsonObject[] {
  const sent = withoutDuplicateNames(
    tools.filter((tool) => serviceToolOf(tool) !== null || !isServiceTool(tool)),
    (tool) => (serviceToolOf(tool) === null ? safeName(tool.name, nameRule) : undefined),
  )
  const functions = sent.filter((tool) => serviceToolOf(tool) === null)
  // Functions of other providers join the existing list, because the service refuses several lists.
  const sharedIndex = functions.map(entryIndexOf).find((index) => index !== null) ?? -1
  const entries = new Map<number, JsonObject>()
  for (const tool of sent) {
    const index = entryIndexOf(tool) ?? sharedIndex
    const entry = entries.get(index) ?? {}
    const declared = entry['functionDeclarations']
    const added = serviceToolOf(tool) ?? {
      functionDeclarations: [...(Array.isArray(declared) ? declared : []), declaration(tool)],
    }
    entries.set(index, { ...entry, ...added })
  }
  return [...entries].sort(([one], [other]) => one - other).map(([, entry]) => entry)
}

/** The index of the entry of `tools` that the tool was read from; null if it was not. */
function entryIndexOf({ metadata }: ToolSchema): number | null {
  const { entry } = providerDetails(metadata, 'google')
  return typeof entry === 'number' && Number.isSafeInteger(entry) && entry >= 0 ? entry : null
}

/** A tool that the service runs itself, as it was read; null for functions. */
function serviceToolOf({ metadata }: ToolSchema): JsonObject | null {
  const { tool } = providerDetails(metadata, 'google')
  return isObject(tool) ? (tool as JsonObject) : null
}

function declaration({ name, description, parameters, metadata }: ToolSchema): JsonObject {
  const fields = extraFields(providerDetails(metadata, 'google'))
  const hasParameters = 'parameters' in fields || 'parametersJsonSchema' in fields
  return {
    ...fields,
    name: safeName(name, nameRule),
    ...(description === undefined ? {} : { description }),
    ...(hasParameters || parameters === undefined || parameters === null
      ? {}
      : { parametersJsonSchema: parameters }),
  }
}

/** Ids have no pattern, but `wellFormed` would turn different lone surrogates into the same text. */
const idRule = { pattern: /^\P{Cs}+$/u, maxLength: Number.POSITIVE_INFINITY }

function writePart(part: Part, side: Side, files: Files): JsonObject | null {
  switch (part.type) {
    case 'text':
    case 'resource-excerpt':
    case 'attachment-ref':
      return textPart(part)
    case 'file': {
      // The model's contents have only the files that it made itself.
      const isMedia = side === 'user' || providerDetails(part.metadata, 'google')['own'] === true
      return (isMedia ? mediaPart(part, files) : null) ?? textPart(part)
    }
    case 'reasoning':
      return side === 'assistant' ? thoughtPart(part) : null
    case 'tool-call':
      return side === 'assistant' ? callPart(part) : null
    case 'tool-result':
      return responsePart(part, files)
    case 'opaque':
      return opaquePart(part)
  }
}

function textPart(part: Part): JsonObject | null {
  const text = wordsOf(part)
  if (text === null) return null
  if (part.type !== 'text') return { text }
  const written = { ...sideFieldsIn(providerDetails(part.metadata, 'google')), text }
  return text.isWellFormed() ? withReadSignature(written, part) : written
}

/** A signature is valid only for the part that it was issued for. */
function withReadSignature(part: JsonObject, { metadata }: Pick<Part, 'metadata'>): JsonObject {
  const thoughtSignature = signatureIn(metadata)
  return isSignature(thoughtSignature) ? { ...part, thoughtSignature } : part
}

function thoughtPart({ text, signature, metadata }: ReasoningPart): JsonObject | null {
  const isOfGemini = isObject(metadata?.['google'])
  const thoughtSignature = (isOfGemini ? signature : null) ?? signatureIn(metadata)
  if (!text.isWellFormed() || (thoughtSignature === undefined && !isOfGemini)) return null
  const part = { ...sideFieldsIn(providerDetails(metadata, 'google')), text, thought: true }
  if (thoughtSignature === undefined) return part
  return isSignature(thoughtSignature) ? { ...part, thoughtSignature } : null
}

/** Whether the call is written as it was read, so that its signature is still valid. */
function isUnchanged({ name, input }: ToolCallPart): boolean {
  return safeName(name, nameRule) === name && isObject(parsedJson(input))
}

function callPart(call: ToolCallPart): JsonObject {
  const details = providerDetails(call.metadata, 'google')
  const functionCall = {
    ...innerFieldsIn(details),
    ...(details['id'] === false ? {} : { id: safeName(call.callId, idRule) }),
    name: safeName(call.name, nameRule),
    ...(details['args'] === false && call.input === '{}' ? {} : { args: inputObject(call.input) }),
  }
  const part = { ...sideFieldsIn(details), functionCall }
  return isUnchanged(call) ? withReadSignature(part, call) : part
}

/** `nameResponse` sets the name and id of the call later. */
function responsePart(result: ToolResultPart, files: Files): JsonObject {
  const details = providerDetails(result.metadata, 'google')
  const functionResponse = {
    ...innerFieldsIn(details),
    name: 'unknown',
    ...outputFields(result, files),
  }
  return withReadSignature({ ...sideFieldsIn(details), functionResponse }, result)
}

function outputFields({ output, isError }: ToolResultPart, files: Files): JsonObject {
  if (output.kind !== 'parts') return { response: responseOf(output, isError) }
  const [first, ...media] = output.parts
  const form = providerDetails(first?.metadata, 'google')['response']
  // Files of other providers become text, because older models accept none here.
  if (first?.type !== 'text' || (form !== 'json' && form !== 'text'))
    return { response: responseOf(output, isError) }
  const withoutMedia: ToolOutput =
    form === 'json' ? { kind: 'json', json: first.text } : { kind: 'text', text: first.text }
  const parts = media.flatMap((part) => responsePartJson(part, files) ?? [])
  return { response: responseOf(withoutMedia, isError), ...(parts.length === 0 ? {} : { parts }) }
}

function responseOf(output: ToolOutput, isError: boolean): JsonObject {
  const value: JsonValue =
    output.kind === 'json' ? (parsedJson(output.json) ?? output.json) : outputText(output)
  if (isError) return { error: value }
  return isObject(value) ? (value as JsonObject) : { output: value }
}

function responsePartJson(part: OutputPart, files: Files): JsonObject | null {
  if (part.type === 'file') return mediaPart(part, files)
  if (part.type !== 'opaque' || part.kind !== 'google/functionResponsePart') return null
  const value = providerBlock(part, 'google')
  // An invalid part would make the response invalid, and its call would be lost too.
  return value !== null && isResponsePart(value) ? value : null
}

/** Null for a part of another provider, and for calls and responses, which are never opaque. */
function opaquePart(opaque: OpaquePart): JsonObject | null {
  const part = providerBlock(opaque, 'google')
  const field = part === null ? null : dataField(part)
  return field === 'functionCall' || field === 'functionResponse' ? null : part
}

function mediaPart({ mediaType, source, metadata }: FilePart, files: Files): JsonObject | null {
  const details = providerDetails(metadata, 'google')
  const isOfGemini = details['own'] === true
  if (!isOfGemini && !acceptedTypes.test(mediaType)) return null
  const inner = innerFieldsIn(details)
  const { thoughtSignature } = details
  const signature = isSignature(thoughtSignature) ? { thoughtSignature } : {}
  const fields = isOfGemini ? { ...sideFieldsIn(details), ...signature } : {}
  const isCompleteType = !mediaType.endsWith('/*')
  if (source.kind === 'url') {
    if (!isOfGemini && !isWebAddress(source.url)) return null
    const hasType = isCompleteType && details['mimeType'] !== false
    const fileData = { ...inner, ...(hasType && { mimeType: mediaType }), fileUri: source.url }
    return validOrNull<JsonObject>({ ...fields, fileData }, checkPart('user'))
  }
  const data = storedBase64(source, files)
  if (data === null || !isCompleteType) return null
  const inlineData = { ...inner, mimeType: mediaType, data }
  return validOrNull<JsonObject>({ ...fields, inlineData }, checkPart('user'))
}

/** Media types that the service accepts from other providers. */
const acceptedTypes =
  /^(?:image\/(?:png|jpeg|webp|heic|heif|\*)|(?:audio|video|text)\/[a-z0-9.+-]+|application\/pdf)$/

/**
 * The kept fields that may be beside data. `metadata` is untrusted, so thoughts and signatures are not
 * taken from it.
 */
function sideFieldsIn(details: Fields): JsonObject {
  return Object.fromEntries(
    Object.entries(extraFields(details)).filter(([key, value]) =>
      key === 'thought' ? value === false : key !== 'thoughtSignature' && sideFields.includes(key),
    ),
  )
}

/** The signature as it was read from the service or through the AI SDK. */
function signatureIn(metadata: JsonObject | null): unknown {
  const options = objectAt(providerDetails(metadata, 'aiSdk'), 'providerOptions')
  const { thoughtSignature } = objectAt(options, 'google')
  return providerDetails(metadata, 'google')['thoughtSignature'] ?? thoughtSignature
}

function innerFieldsIn(details: Fields): JsonObject {
  const inner = details['inner']
  if (!isObject(inner)) return {}
  const isExtra = ([key, value]: readonly [string, unknown]) =>
    key === 'parts' ? Array.isArray(value) && value.length === 0 : !writtenDataFields.includes(key)
  return Object.fromEntries(Object.entries(inner as JsonObject).filter(isExtra))
}
