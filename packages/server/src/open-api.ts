/** The OpenAPI 3.1 document, generated from the routes. */
import { toJsonSchema } from '@valibot/to-json-schema'
import { errorTable } from 'throughline'
import type { GenericSchema } from 'valibot'
import type { Route } from './route.ts'
import { serverErrors } from './server-errors-data.ts'

type Json = Readonly<Record<string, unknown>>

export function openApiDocument(routes: readonly Route[]): Json {
  const paths: Record<string, Record<string, Json>> = {}
  for (const route of routes) {
    const methods = paths[route.path] ?? {}
    paths[route.path] = methods
    methods[route.method.toLowerCase()] = operationOf(route)
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Throughline', version: '1' },
    security: [{ key: [] }],
    paths,
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
      schemas: { Problem: problemSchema },
    },
  }
}

const problemSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['type', 'title', 'status', 'code', 'detail', 'retryable'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    code: { enum: [...Object.keys(serverErrors), ...Object.keys(errorTable)] },
    detail: { type: 'string' },
    retryable: { type: 'boolean' },
    failure: { type: 'object', required: ['kind'], properties: { kind: { type: 'string' } } },
    details: { type: 'object' },
  },
}

function operationOf(route: Route): Json {
  const { operation, summary, body, status, answer, streams, role } = route
  const content =
    answer === null
      ? { [streams ?? 'application/octet-stream']: {} }
      : { 'application/json': { schema: schemaOf(answer, 'output') } }
  const problem = { schema: { $ref: '#/components/schemas/Problem' } }
  const refused = refusalsOf(route).map((each) => [
    each,
    { description: descriptionOf(each), content: { 'application/problem+json': problem } },
  ])
  return {
    operationId: operation,
    summary,
    'x-role': role,
    parameters: parametersOf(route),
    ...(body !== null && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemaOf(body, 'input') } },
      },
    }),
    responses: {
      [status]: { description: 'Done.', content },
      ...Object.fromEntries(refused),
    },
  }
}

/** The statuses with which a request may be refused. */
function refusalsOf({ path, body, writes, guarded }: Route): readonly number[] {
  const isNamed = path.includes('{')
  return [
    ...[400, 401, 403],
    ...(isNamed ? [404] : []),
    ...(isNamed || writes ? [409] : []),
    ...(guarded ? [412] : []),
    ...(isNamed || body !== null ? [413] : []),
    ...(body === null ? [] : [415]),
    421,
    ...(writes || body !== null ? [422] : []),
    ...[429, 500, 502, 503, 507],
  ]
}

function descriptionOf(status: number): string {
  const rows = Object.values({ ...serverErrors, ...errorTable })
  return rows.find(({ httpStatus }) => httpStatus === status)?.meaning ?? 'Refused.'
}

/** What the path names; the rest is text. */
const pathSchemas: Readonly<Record<string, Json>> = {
  conversation: { type: 'string', minLength: 1, maxLength: 512 },
  seq: { type: 'string', pattern: '^\\d{1,15}(-\\d{1,15})?$' },
  turn: { type: 'string', pattern: '^\\d{1,15}$' },
  step: { type: 'string', pattern: '^\\d{1,15}$' },
  sha256: { type: 'string', pattern: '^[0-9a-f]{64}$' },
}

function parametersOf({ path, query, writes, guarded }: Route): readonly Json[] {
  const text = { type: 'string' }
  const header = (name: string) => ({ name, in: 'header', required: false, schema: text })
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: pathSchemas[name] ?? text,
  }))
  const { properties = {}, required = [] } = schemaOf(query, 'input')
  const inQuery = Object.entries(properties as Json).map(([name, schema]) => ({
    name,
    in: 'query',
    required: (required as readonly string[]).includes(name),
    schema,
  }))
  return [
    ...inPath,
    ...inQuery,
    ...(writes ? [header('Idempotency-Key')] : []),
    ...(guarded ? [header('If-Match')] : []),
  ]
}

function schemaOf(schema: GenericSchema, typeMode: 'input' | 'output'): Json {
  const { $schema: _, ...json } = toJsonSchema(schema, { typeMode, errorMode: 'ignore' })
  return json as Json
}
