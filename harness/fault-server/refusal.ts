/**
 * Refusals before the model is called, in the order in which services check: path, key, body. The
 * server answers with the first one.
 */
import type { JsonValue, RequestProblem } from 'throughline'
import {
  type Fields,
  fieldsOf,
  isObject,
  maxDepth,
} from '../../packages/throughline/src/adapters/unknown-json.ts'
import { anthropicApi } from './anthropic.ts'
import { openaiChatApi } from './openai-chat.ts'
import { openaiResponsesApi } from './openai-responses.ts'
import type { ModelApi, SentHeaders, ServiceError } from './responder.ts'
import type { FaultServerOptions } from './settings.ts'

export interface Incoming {
  readonly method: string
  readonly path: string
  readonly headers: SentHeaders
  /** Undefined if the body was longer than any service accepts. */
  readonly text: string | undefined
  /** Undefined if the body is not JSON. */
  readonly body: JsonValue | undefined
}

const apis: readonly ModelApi[] = [openaiChatApi, openaiResponsesApi, anthropicApi]

export function apiAt(path: string): ModelApi | null {
  return apis.find((api) => api.path === path) ?? null
}

/** The API whose error format is used for an unknown path. */
export function apiLike(headers: SentHeaders): ModelApi {
  return headers['anthropic-version'] === undefined ? openaiChatApi : anthropicApi
}

/** Empty if the request may reach the model. */
export function refusalsOf(
  incoming: Incoming,
  options: Pick<FaultServerOptions, 'apiKey' | 'models' | 'tools'>,
): readonly ServiceError[] {
  const { method, path, headers, text, body } = incoming
  const api = apiAt(path)
  if (api === null) return [refusal(404, 'not-found', `Invalid URL (${method} ${path})`)]
  if (method !== 'POST') return [refusal(405, 'invalid', `Not allowed to ${method} on ${path}.`)]
  const key = api.keyIn(headers)
  if (key !== (options.apiKey ?? defaultKey))
    return [refusal(401, 'authentication', key === null ? 'No API key provided.' : wrongKey)]
  if (text === undefined)
    return [refusal(413, 'too-large', 'Request exceeds the maximum allowed number of bytes.')]
  if (!/^application\/json\b/.test(headers['content-type'] ?? ''))
    return [refusal(400, 'invalid', 'content-type: must be application/json')]
  if (body === undefined) return [refusal(400, 'invalid', 'The body is not valid JSON.')]
  const problems = api
    .problems(body, headers)
    .map(({ at, message }) => ({ ...refusal(400, 'invalid', message), at }))
  if (problems.length > 0) return problems
  return [...modelRefusals(body, options), ...toolRefusals(body, options)]
}

const defaultKey = 'test-key'
const wrongKey = 'Incorrect API key provided.'

function modelRefusals(
  body: JsonValue,
  { models }: Pick<FaultServerOptions, 'models'>,
): readonly ServiceError[] {
  const model = `${fieldsOf(body)?.['model']}`
  if (models === undefined || models.includes(model)) return []
  return [refusal(404, 'model-not-found', `The model \`${model}\` does not exist.`)]
}

function toolRefusals(
  body: JsonValue,
  { tools }: Pick<FaultServerOptions, 'tools'>,
): readonly ServiceError[] {
  if (tools !== 'refused' || fieldsOf(body)?.['tools'] === undefined) return []
  return [{ ...refusal(400, 'invalid', 'are not accepted by this server'), at: 'tools' }]
}

function refusal(status: number, kind: ServiceError['kind'], message: string): ServiceError {
  return { status, kind, message, at: null }
}

/**
 * What services refuse in the schema of an answer. Each accepts only a part of JSON Schema, and a
 * schema that one accepts may be refused by the other.
 */
interface SchemaDialect {
  readonly refused: readonly string[]
  /** Whether every property must be required. */
  readonly properties: 'all-required' | 'any'
}

export const openaiStrict: SchemaDialect = {
  refused: ['minLength', 'maxLength', 'allOf', 'not', 'if', 'patternProperties', 'uniqueItems'],
  properties: 'all-required',
}

export const anthropicFormat: SchemaDialect = {
  refused: [
    ...['minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
    ...['multipleOf', 'maxItems', 'uniqueItems', 'not', 'if', 'patternProperties'],
  ],
  properties: 'any',
}

export function answerSchemaProblems(
  schema: unknown,
  at: string,
  dialect: SchemaDialect,
): readonly RequestProblem[] {
  const fields = fieldsOf(schema)
  if (fields === null || fields['type'] !== 'object')
    return [{ rule: 'answer-schema', at, message: 'must be a JSON schema whose type is object' }]
  return schemaFlaws(fields, at, dialect, 0).map((flaw) => ({ rule: 'answer-schema', ...flaw }))
}

type Flaw = Omit<RequestProblem, 'rule'>

function schemaFlaws(
  schema: Fields,
  at: string,
  dialect: SchemaDialect,
  depth: number,
): readonly Flaw[] {
  if (depth > maxDepth) return [{ at, message: 'is nested too deeply' }]
  const refused = dialect.refused
    .filter((keyword) => schema[keyword] !== undefined)
    .map((keyword) => ({ at: `${at}.${keyword}`, message: 'is not permitted' }))
  const inner = innerSchemas(schema).flatMap(([place, value]) =>
    schemaFlaws(value, `${at}.${place}`, dialect, depth + 1),
  )
  return [...refused, ...objectFlaws(schema, at, dialect), ...inner]
}

function objectFlaws(schema: Fields, at: string, { properties }: SchemaDialect): readonly Flaw[] {
  if (schema['type'] !== 'object') return []
  const open = schema['additionalProperties'] !== false
  const required: unknown = schema['required']
  const optional = Object.keys(fieldsOf(schema['properties']) ?? {}).filter(
    (name) => !Array.isArray(required) || !required.includes(name),
  )
  return [
    ...(open ? [{ at, message: 'must have additionalProperties, and it must be false' }] : []),
    ...(properties === 'all-required' && optional.length > 0
      ? [{ at, message: `must require every property, also ${optional.join(', ')}` }]
      : []),
  ]
}

function innerSchemas(schema: Fields): readonly (readonly [string, Fields])[] {
  const maps = ['properties', '$defs', 'definitions'].flatMap((field) =>
    Object.entries(fieldsOf(schema[field]) ?? {}).map(
      ([name, value]) => [`${field}.${name}`, value] as const,
    ),
  )
  const lists = ['anyOf', 'oneOf', 'allOf'].flatMap((field) => {
    const list: unknown = schema[field]
    if (!Array.isArray(list)) return []
    return list.map((value: unknown, index) => [`${field}[${index}]`, value] as const)
  })
  const all: readonly (readonly [string, unknown])[] = [
    ...maps,
    ...lists,
    ['items', schema['items']],
  ]
  return all.filter((entry): entry is readonly [string, Fields] => isObject(entry[1]))
}
