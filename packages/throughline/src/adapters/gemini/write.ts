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
import { extraFields, isServiceTool, providerDetails, recordAt } from '../extra-fields.ts'
import { type Files, isWebAddress, storedBase64 } from '../media.ts'
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
import { type Fields, inputObject, isFields, ownBlock, parsedJson } from '../unknown-json.ts'
import { wellFormed } from '../well-formed.ts'
import { ownFields, sideFields } from './fields-data.ts'
import type { GeminiContentsRequest } from './request.ts'
import { checkPart, dataField, isShownPart, isSignature, lonePartsIn, nameRule } from './rules.ts'

export function writeGemini(context: Deliverable): GeminiContentsRequest {
  const turns = turnsOf(context.messages, context.files, turnForm)
  const request = requestOf(context, turns.map(answered).map(withSignature))
  return wellFormed<object>(request) as GeminiContentsRequest
}

const turnForm: TurnForm = {
  write: (part, side, files) => {
    const role = side === 'assistant' ? 'model' : 'user'
    return validOrNull(writePart(part, side, files), checkPart(role))
  },
  // `nameResponse` sets ids and names once the turn of a part is known.
  idsOf: (_, part) => ({
    call: part.type === 'tool-call' ? part.callId : null,
    result: part.type === 'tool-result' ? part.callId : null,
  }),
  textBlockOf: ({ json }) => {
    const { thoughtSignature: _, ...part } = json
    return typeof part['text'] === 'string' ? part : null
  },
  isBlank: (text) => text.trim() === '',
  loneIn: (turns) => lonePartsIn(turns.map(partsOf)),
  arrange: (turn) => turn,
  filler: { text: fillerText },
}

function partsOf({ items }: Turn): readonly JsonObject[] {
  return items.map(({ json }) => json)
}

function answered(turn: Turn, index: number, turns: readonly Turn[]): Turn {
  const calls = turns[index - 1]?.items.filter(({ call }) => call !== null) ?? []
  const items = turn.items.map((item) => {
    const call = calls.find((other) => other.call === item.result)
    return item.result === null || call === undefined ? item : nameResponse(item, call)
  })
  return { ...turn, items: inOrderOfCalls(items, calls) }
}

function nameResponse(item: TurnItem, call: TurnItem): TurnItem {
  const { id, name } = recordAt(call.json, 'functionCall')
  const { name: _, ...response } = recordAt(item.json, 'functionResponse')
  // A response may lack the id of its call.
  const anonymous = providerDetails(item.part?.metadata, 'google')['id'] === false
  const known = id === undefined || anonymous ? {} : { id }
  const functionResponse = { ...known, ...(name === undefined ? {} : { name }), ...response }
  return { ...item, json: { ...item.json, functionResponse } }
}

/** Responses without ids answer the calls of one name in the order of the calls. */
function inOrderOfCalls(items: readonly TurnItem[], calls: readonly TurnItem[]) {
  const place = ({ result }: TurnItem) => calls.findIndex(({ call }) => call === result)
  const nameOf = (item: TurnItem): unknown => {
    const { id, name } = recordAt(item.json, 'functionResponse')
    return item.result === null || id !== undefined ? null : name
  }
  const queues = Map.groupBy(items, nameOf)
  for (const queue of queues.values()) queue.sort((left, right) => place(left) - place(right))
  return items.map((item) => {
    const name = nameOf(item)
    return name === null ? item : (queues.get(name)?.shift() ?? item)
  })
}

/**
 * Gemini 3 refuses calls of the current turn without a thought signature. For calls of other models, Google
 * documents this text instead. It is set on the first call of each step and stays there in later turns, so
 * that the cached prefix does not change. Calls that were read from Gemini stay unchanged.
 */
const foreignSignature = 'skip_thought_signature_validator'

function withSignature(turn: Turn): Turn {
  const place = turn.items.findIndex(({ call }) => call !== null)
  const first = turn.items[place]
  if (first === undefined || first.json['thoughtSignature'] !== undefined) return turn
  const own = providerDetails(first.part?.metadata, 'google')['own'] === true
  if (own && first.part?.type === 'tool-call' && isUnchanged(first.part)) return turn
  const json = { ...first.json, thoughtSignature: foreignSignature }
  return { ...turn, items: turn.items.with(place, { ...first, json }) }
}

function requestOf(context: Deliverable, turns: readonly Turn[]) {
  const openingMessages = context.messages.slice(0, openingLength(context.messages))
  const system = [...context.system, ...openingMessages.flatMap(({ parts }) => parts)].flatMap(
    systemPart,
  )
  // The service ignores the role of the instruction; it is written as it was read.
  const { role } = recordAt(providerDetails(context.system[0]?.metadata, 'google'), 'content')
  const systemRole = typeof role === 'string' ? { role } : {}
  const tools = toolEntries(context.tools)
  const roleOf = ({ side, items }: Turn) => {
    const meta = context.messages[items[0]?.from ?? -1]?.meta
    if (turns.length === 1 && providerDetails(meta, 'google')['role'] === 'absent') return {}
    return { role: side === 'assistant' ? 'model' : 'user' }
  }
  return {
    ...(system.length === 0 ? {} : { systemInstruction: { ...systemRole, parts: system } }),
    contents: turns.map((turn) => ({ ...roleOf(turn), parts: partsOf(turn) })),
    ...(tools.length === 0 ? {} : { tools }),
  }
}

function systemPart(part: Part): readonly JsonObject[] {
  const text = wordsOf(part)
  if (text === null || text === '') return []
  return [{ ...extraSideFields(providerDetails(part.metadata, 'google')), text }]
}

function toolEntries(tools: readonly ToolSchema[]): readonly JsonObject[] {
  const known = firstOfName(
    tools.filter((tool) => wholeOf(tool) !== null || !isServiceTool(tool)),
    (tool) => (wholeOf(tool) === null ? safeName(tool.name, nameRule) : undefined),
  )
  const home = known.map(entryOf).find((entry, index) => entry !== null && !wholeOf(known[index]))
  const entries = new Map<number, JsonObject>()
  for (const tool of known) {
    // Functions of other providers join the existing list, because the service refuses several lists.
    const entry = entryOf(tool) ?? home ?? -1
    const before = entries.get(entry) ?? {}
    const declared = before['functionDeclarations']
    const functions = Array.isArray(declared) ? declared : []
    const added = wholeOf(tool) ?? { functionDeclarations: [...functions, declaration(tool)] }
    entries.set(entry, { ...before, ...added })
  }
  return [...entries].sort(([left], [right]) => left - right).map(([, entry]) => entry)
}

function entryOf({ metadata }: ToolSchema): number | null {
  const { entry } = providerDetails(metadata, 'google')
  return typeof entry === 'number' && Number.isSafeInteger(entry) && entry >= 0 ? entry : null
}

function wholeOf(tool: ToolSchema | undefined): JsonObject | null {
  const whole = providerDetails(tool?.metadata, 'google')['tool']
  return isFields(whole) ? (whole as JsonObject) : null
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
const idRule = { allowed: /^\P{Cs}+$/u, lengthMax: Number.POSITIVE_INFINITY }

function writePart(part: Part, side: Side, files: Files): JsonObject | null {
  switch (part.type) {
    case 'text':
    case 'resource-excerpt':
    case 'attachment-ref':
      return textPart(part)
    case 'file': {
      // The model's contents have only the files that it made itself.
      const shown = side === 'user' || providerDetails(part.metadata, 'google')['own'] === true
      return (shown ? mediaPart(part, files) : null) ?? textPart(part)
    }
    case 'reasoning':
      return side === 'assistant' ? thoughtPart(part) : null
    case 'tool-call':
      return side === 'assistant' ? callPart(part) : null
    case 'tool-result':
      return responsePart(part, files)
    case 'opaque':
      return ownPart(part)
  }
}

function textPart(part: Part): JsonObject | null {
  const text = wordsOf(part)
  if (text === null) return null
  if (part.type !== 'text') return { text }
  const written = { ...extraSideFields(providerDetails(part.metadata, 'google')), text }
  return text.isWellFormed() ? signed(written, part) : written
}

/** A signature is valid only for the part that it was issued for. */
function signed(part: JsonObject, { metadata }: Pick<Part, 'metadata'>): JsonObject {
  const thoughtSignature = sealOf(metadata)
  return isSignature(thoughtSignature) ? { ...part, thoughtSignature } : part
}

function thoughtPart({ text, signature, metadata }: ReasoningPart): JsonObject | null {
  const own = isFields(metadata?.['google'])
  const seal = (own ? signature : null) ?? sealOf(metadata)
  if (!text.isWellFormed() || (seal === undefined && !own)) return null
  if (seal !== undefined && !isSignature(seal)) return null
  const part = { ...extraSideFields(providerDetails(metadata, 'google')), text, thought: true }
  return seal === undefined ? part : { ...part, thoughtSignature: seal }
}

function isUnchanged({ name, input }: ToolCallPart): boolean {
  return safeName(name, nameRule) === name && isFields(parsedJson(input))
}

function callPart(call: ToolCallPart): JsonObject {
  const details = providerDetails(call.metadata, 'google')
  const functionCall = {
    ...extraInnerFields(details),
    ...(details['id'] === false ? {} : { id: safeName(call.callId, idRule) }),
    name: safeName(call.name, nameRule),
    ...(details['args'] === false && call.input === '{}' ? {} : { args: inputObject(call.input) }),
  }
  const part = { ...extraSideFields(details), functionCall }
  return isUnchanged(call) ? signed(part, call) : part
}

/** `nameResponse` sets the name and id of the call later. */
function responsePart(result: ToolResultPart, files: Files): JsonObject {
  const details = providerDetails(result.metadata, 'google')
  const functionResponse = {
    ...extraInnerFields(details),
    name: 'unknown',
    ...outputFields(result, files),
  }
  return signed({ ...extraSideFields(details), functionResponse }, result)
}

function outputFields({ output, isError }: ToolResultPart, files: Files): JsonObject {
  if (output.kind !== 'parts') return { response: responseOf(output, isError) }
  const [first, ...shown] = output.parts
  const form =
    first?.type === 'text' ? providerDetails(first.metadata, 'google')['response'] : undefined
  // Files of other providers become text, because older models accept none here.
  if (first?.type !== 'text' || (form !== 'json' && form !== 'text'))
    return { response: responseOf(output, isError) }
  const shownOutput: ToolOutput =
    form === 'json' ? { kind: 'json', json: first.text } : { kind: 'text', text: first.text }
  const parts = shown.flatMap((part) => shownPart(part, files) ?? [])
  return { response: responseOf(shownOutput, isError), ...(parts.length === 0 ? {} : { parts }) }
}

function responseOf(output: ToolOutput, isError: boolean): JsonObject {
  const value: JsonValue =
    output.kind === 'json' ? (parsedJson(output.json) ?? output.json) : outputText(output)
  if (isError) return { error: value }
  return isFields(value) ? (value as JsonObject) : { output: value }
}

function shownPart(part: OutputPart, files: Files): JsonObject | null {
  if (part.type === 'file') return mediaPart(part, files)
  if (part.type !== 'opaque' || part.kind !== 'google/functionResponsePart') return null
  const value = ownBlock(part, 'google')
  // An invalid part would make the response invalid, and its call would be lost too.
  return value !== null && isShownPart(value) ? value : null
}

/** Null for a part of another provider, and for calls and responses, which are never opaque. */
function ownPart(opaque: OpaquePart): JsonObject | null {
  const part = ownBlock(opaque, 'google')
  const field = part === null ? null : dataField(part)
  return field === 'functionCall' || field === 'functionResponse' ? null : part
}

function mediaPart({ mediaType, source, metadata }: FilePart, files: Files): JsonObject | null {
  const details = providerDetails(metadata, 'google')
  const own = details['own'] === true
  const inner = extraInnerFields(details)
  const { thoughtSignature } = details
  const seal = isSignature(thoughtSignature) ? { thoughtSignature } : {}
  const fields = own ? { ...extraSideFields(details), ...seal } : {}
  if (!own && !takenTypes.test(mediaType)) return null
  const whole = !mediaType.endsWith('/*')
  if (source.kind === 'url') {
    if (!own && !isWebAddress(source.url)) return null
    const typed = whole && details['mimeType'] !== false ? { mimeType: mediaType } : {}
    const fileData = { ...inner, ...typed, fileUri: source.url }
    return validOrNull<JsonObject>({ ...fields, fileData }, checkPart('user'))
  }
  const data = storedBase64(source, files)
  if (data === null || !whole) return null
  const inlineData = { ...inner, mimeType: mediaType, data }
  return validOrNull<JsonObject>({ ...fields, inlineData }, checkPart('user'))
}

const takenTypes =
  /^(?:image\/(?:png|jpeg|webp|heic|heif|\*)|(?:audio|video|text)\/[a-z0-9.+-]+|application\/pdf)$/

/**
 * The kept fields that may be beside data. `metadata` is untrusted, so thoughts and signatures are not
 * taken from it.
 */
function extraSideFields(details: Fields): JsonObject {
  return Object.fromEntries(
    Object.entries(extraFields(details)).filter(([key, value]) =>
      key === 'thought' ? value === false : key !== 'thoughtSignature' && sideFields.includes(key),
    ),
  )
}

/** The signature as it was read from the service or through the AI SDK. */
function sealOf(metadata: JsonObject | null): unknown {
  const options = providerDetails(metadata, 'aiSdk')['providerOptions']
  const google = isFields(options) ? options['google'] : undefined
  const relayed = isFields(google) ? google['thoughtSignature'] : undefined
  return providerDetails(metadata, 'google')['thoughtSignature'] ?? relayed
}

function extraInnerFields(details: Fields): JsonObject {
  const inner = details['inner']
  if (!isFields(inner)) return {}
  const isExtra = ([key, value]: readonly [string, unknown]) =>
    key === 'parts' ? Array.isArray(value) && value.length === 0 : !ownFields.includes(key)
  return Object.fromEntries(Object.entries(inner as JsonObject).filter(isExtra))
}
