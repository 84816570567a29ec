/**
 * Reads a request of generateContent. Fields that our messages lack are kept under `metadata.google`;
 * unknown parts become opaque parts, as JSON text. A call without an id gets one from its position, and
 * `id: false` in `metadata` so that `write` omits it again.
 */
import type { ToolSchema } from '../../domain/context.ts'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import type { FileInput, MessageInput, OpaqueInput, PartInput } from '../../domain/message.ts'
import { describe } from '../../domain/text.ts'
import type { Reading } from '../../ports/adapter.ts'
import { keepExtraFields } from '../extra-fields.ts'
import { isCanonicalBase64 } from '../media.ts'
import { invalidMessage, requireFields, requireRole, requireText } from '../read-checks.ts'
import {
  type Fields,
  isFilled,
  isObject,
  isPlain,
  jsonTextOf,
  listOf,
  maxDepth,
} from '../unknown-json.ts'
import { camelNames, dataKeywords, fieldsWithCamelNames, schemaTypes } from './fields-data.ts'
import { answeredCalls, dataField } from './rules.ts'

export function readGemini(request: object): Reading {
  const { contents, tools, systemInstruction, system_instruction } = request as Fields
  const [at, instruction] =
    systemInstruction == null && system_instruction != null
      ? ['system_instruction', system_instruction]
      : ['systemInstruction', systemInstruction]
  return {
    system: readSystem(camelCased(instruction), `gemini-contents: ${at}`),
    tools: readTools(listOf(camelCased(tools))),
    messages: readContents(Array.from(listOf(camelCased(contents)), readableContent)),
  }
}

const snakeNames: ReadonlyMap<string, string> = new Map(
  camelNames.map((name) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), name]),
)

/** Renames fields in snake_case. Eight levels reach a file in a part of a response in a part of a content. */
function camelCased(value: unknown, levels = 8): unknown {
  if (levels === 0) return value
  if (Array.isArray(value)) return Array.from(value, (item) => camelCased(item, levels - 1))
  if (!isPlain(value)) return value
  const entries = Object.entries(value).map(([name, inner]) => {
    const camelName = snakeNames.get(name) ?? name
    const hasBoth = camelName !== name && camelName in value
    const newName = hasBoth ? name : camelName
    const hasMoreNames = fieldsWithCamelNames.includes(newName)
    return [newName, hasMoreNames ? camelCased(inner, levels - 1) : inner] as const
  })
  return Object.fromEntries(entries)
}

function readSystem(instruction: unknown, at: string): Reading['system'] {
  if (instruction === undefined || instruction === null) return []
  const { parts, ...content } = requireFields(instruction, at)
  return partsAt({ parts }, at).map(({ text, ...fields }, index) => {
    if (typeof text !== 'string')
      throw invalidMessage(`${at}.parts[${index}].text`, `must be text, got ${describe(text)}`)
    const details = index === 0 && Object.keys(content).length > 0 ? { content } : {}
    const { metadata = null } = keepExtraFields('google', details, fields)
    return { type: 'text', text, metadata }
  })
}

/** Results once had the role `function`. The service has no role `system`; `write` labels such text. */
const contentRoles = ['user', 'model', 'function', 'system'] as const

type ReadableContent = ReturnType<typeof readableContent>

function readableContent(value: unknown, index: number) {
  const at = `gemini-contents: contents[${index}]`
  const content = requireFields(value, at)
  const role = content['role'] === undefined ? undefined : requireRole(content, contentRoles, at)
  return { role, parts: partsAt(content, at) }
}

function partsAt({ parts }: Fields, at: string): readonly Fields[] {
  if (!Array.isArray(parts))
    throw invalidMessage(`${at}.parts`, `must be an array of parts, got ${describe(parts)}`)
  return Array.from(parts, (value: unknown, index) => {
    const part = requireFields(value, `${at}.parts[${index}]`)
    if (part['text'] !== undefined) requireText(part['text'], `${at}.parts[${index}].text`)
    return part
  })
}

function readContents(contents: readonly ReadableContent[]): readonly MessageInput[] {
  const calls = contents.map(({ parts }) => namedData(parts, 'functionCall'))
  const givenIds = new Set(calls.flat().map(({ id }) => id))
  const callIds = calls.map((callsOfContent, at) =>
    callsOfContent.map(({ id, name }, index) =>
      isFilled(id) ? id : unusedId(`call_${at}_${index}_${name}`, givenIds),
    ),
  )
  return contents.map(({ role, parts }, at) => {
    const responses = namedData(parts, 'functionResponse')
    const callIndexes = answeredCalls(calls[at - 1] ?? [], responses)
    const answeredIds = callIndexes.map((callIndex, index) => {
      const { id, name } = responses[index] ?? {}
      // A response without a call keeps its own id; `write` omits it.
      const ownId = isFilled(id) ? id : `response_${at}_${index}_${name}`
      return callIds[at - 1]?.[callIndex] ?? ownId
    })
    const ids = {
      functionCall: (callIds[at] ?? []).values(),
      functionResponse: answeredIds.values(),
    }
    const read = parts.map((part) => readPart(part, ids))
    const meta = role === undefined ? { meta: { google: { role: 'absent' } } } : {}
    if (role === 'model') return { role: 'assistant', content: read }
    if (role === 'system') return { role, content: read }
    const isToolMessage = read.length > 0 && read.every(({ type }) => type === 'tool-result')
    return { role: isToolMessage ? 'tool' : 'user', content: read, ...meta }
  })
}

/** The data of all parts with this field, in order; `readPart` takes ids in the same order. */
function namedData(parts: readonly Fields[], field: string): readonly Fields[] {
  return parts.flatMap((part): readonly Fields[] => {
    const data = dataField(part) === field ? part[field] : undefined
    return isObject(data) && isFilled(data['name']) ? [data] : []
  })
}

function unusedId(id: string, usedIds: ReadonlySet<unknown>): string {
  return usedIds.has(id) ? unusedId(`${id}_`, usedIds) : id
}

type Ids = Readonly<Record<'functionCall' | 'functionResponse', Iterator<string>>>

function readPart(part: Fields, ids: Ids): PartInput {
  const field = dataField(part)
  if (field === 'text') return readText(part) ?? opaque(part)
  if (field !== 'functionCall' && field !== 'functionResponse')
    return readMedia(part) ?? opaque(part)
  const data = part[field]
  if (!isObject(data) || !isFilled(data['name'])) return opaque(part)
  const read = field === 'functionCall' ? readCall : readResponse
  return read(part, data, ids[field].next().value ?? '')
}

function readText(part: Fields): PartInput | null {
  const { text, ...others } = part
  if (typeof text !== 'string') return null
  if (part['thought'] !== true) return { type: 'text', text, ...metadataWithSignature({}, others) }
  const { thought: _, thoughtSignature: signature, ...fields } = others
  if (signature !== undefined && typeof signature !== 'string') return null
  // The key says whose thought it is, even if nothing else is kept.
  const { metadata = { google: {} } } = keepExtraFields('google', {}, fields)
  return { type: 'reasoning', text, signature, metadata }
}

function readCall(part: Fields, data: Fields, callId: string): PartInput {
  const { functionCall: _, ...fields } = part
  const { id, name, args, ...inner } = data
  const details = {
    // Calls of this service need no signature from us.
    own: true,
    ...(isFilled(id) ? {} : { id: false }),
    ...(args === undefined ? { args: false } : {}),
    ...innerDetails(inner),
  }
  const input = args === undefined ? '{}' : jsonTextOf(args)
  return {
    type: 'tool-call',
    callId,
    name: String(name),
    input,
    ...metadataWithSignature(details, fields),
  }
}

/**
 * By the service's convention `output` holds a text, `error` the text of a failure; any other object is
 * read as JSON.
 */
function readResponse(part: Fields, data: Fields, callId: string): PartInput {
  const { functionResponse: _, ...fields } = part
  const { id, name, response, ...rest } = data
  const { parts, ...others } = rest
  // An empty list would be lost, because our output then has no parts.
  const inner = listOf(parts).length > 0 ? others : rest
  const plain = plainResponse(response)
  return {
    type: 'tool-result',
    callId,
    name: String(name),
    output: readOutput(response, plain?.text ?? null, listOf(parts)),
    isError: plain?.field === 'error',
    ...metadataWithSignature(
      { ...(isFilled(id) ? {} : { id: false }), ...innerDetails(inner) },
      fields,
    ),
  }
}

/** The only field of a response, if it holds a text by the convention; else null. */
function plainResponse(response: unknown) {
  const [entry, secondEntry] = isObject(response) ? Object.entries(response) : []
  if (entry === undefined || secondEntry !== undefined) return null
  const [field, text] = entry
  if ((field !== 'output' && field !== 'error') || typeof text !== 'string') return null
  return { field, text }
}

function readOutput(response: unknown, plainText: string | null, parts: readonly unknown[]) {
  const text = plainText ?? jsonTextOf(response)
  if (parts.length === 0)
    return plainText === null
      ? ({ kind: 'json', json: text } as const)
      : ({ kind: 'text', text } as const)
  const metadata = { google: { response: plainText === null ? 'json' : 'text' } }
  const media = parts.map((part): FileInput | OpaqueInput => {
    const file = isObject(part) ? readMedia(part) : null
    return file ?? { type: 'opaque', kind: 'google/functionResponsePart', json: jsonTextOf(part) }
  })
  return { kind: 'parts', parts: [{ type: 'text', text, metadata }, ...media] } as const
}

/** Null for data that our file parts cannot represent. */
function readMedia(part: Fields): FileInput | null {
  const { inlineData, fileData, ...fields } = part
  // An image in a thought is not a file of the conversation.
  if (fields['thought'] === true) return null
  // `own` records that the service accepted this file, whatever its type.
  const fileMetadata = (inner: Fields, details = {}) =>
    metadataWithSignature({ own: true, ...details, ...innerDetails(inner) }, fields)
  if (isObject(inlineData)) {
    const { mimeType, data, ...inner } = inlineData
    if (!isFilled(mimeType) || typeof data !== 'string' || !isCanonicalBase64(data)) return null
    return { type: 'file', mediaType: mimeType, data, ...fileMetadata(inner) }
  }
  if (!isObject(fileData)) return null
  const { mimeType, fileUri: url, ...inner } = fileData
  if (!isFilled(url) || serviceAddress.test(url)) return null
  if (isFilled(mimeType)) return { type: 'file', mediaType: mimeType, url, ...fileMetadata(inner) }
  if (mimeType !== undefined) return null
  const mediaType = 'application/octet-stream'
  return { type: 'file', mediaType, url, ...fileMetadata(inner, { mimeType: false }) }
}

/** URLs of files that only the service can open. */
const serviceAddress = /^(?:gs:\/|https:\/\/generativelanguage\.googleapis\.com)\//

function innerDetails(inner: Fields): Fields {
  return Object.keys(inner).length > 0 ? { inner } : {}
}

/** Signatures are kept separate from other fields, because they are valid only for an unchanged part. */
function metadataWithSignature(details: Fields, fields: Fields) {
  const { thoughtSignature, ...others } = fields
  if (typeof thoughtSignature !== 'string') return keepExtraFields('google', details, fields)
  return keepExtraFields('google', { ...details, thoughtSignature }, others)
}

function opaque(part: Fields): OpaqueInput {
  return { type: 'opaque', kind: `google/${dataField(part) ?? 'part'}`, json: jsonTextOf(part) }
}

/**
 * An entry of the list has functions, and may have tools of the service. Each function becomes a tool that
 * stores the index of its entry; the rest of an entry is kept unchanged.
 */
function readTools(tools: readonly unknown[]): readonly ToolSchema[] {
  return tools.flatMap((tool, entry): readonly ToolSchema[] => {
    if (!isObject(tool)) return []
    const { functionDeclarations, ...rest } = tool
    const functions = listOf(functionDeclarations)
      .filter(isObject)
      .map((fields) => readFunction(fields, entry))
    const [name] = Object.keys(rest)
    if (name === undefined) return functions
    return [...functions, { name, metadata: { google: { entry, tool: rest as JsonObject } } }]
  })
}

function readFunction(declaration: Fields, entry: number): ToolSchema {
  const { name, description, ...rest } = declaration
  const hasDescription = typeof description === 'string'
  const schema = rest['parametersJsonSchema'] ?? rest['parameters']
  const fields = hasDescription || description === undefined ? rest : { ...rest, description }
  return {
    name: isFilled(name) ? name : 'unknown',
    ...(hasDescription ? { description } : {}),
    ...(schema === undefined ? {} : { parameters: jsonSchema(schema as JsonValue, 0) }),
    ...keepExtraFields('google', { entry }, fields),
  }
}

/** The service writes type names in capitals; all other providers expect JSON schema. */
function jsonSchema(schema: JsonValue, depth: number): JsonValue {
  if (depth > maxDepth || typeof schema !== 'object' || schema === null) return schema
  if (Array.isArray(schema)) return schema.map((item) => jsonSchema(item, depth + 1))
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (key === 'type' && typeof value === 'string' && schemaTypes.includes(value))
        return [key, value.toLowerCase()]
      return [key, dataKeywords.includes(key) ? value : jsonSchema(value, depth + 1)]
    }),
  )
}
