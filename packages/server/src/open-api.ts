/** The OpenAPI 3.1 document, generated from the routes. */
import { toJsonSchema } from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'
import type { Route } from './route.ts'

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
  required: ['type', 'title', 'status', 'code', 'detail', 'retryable'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    code: { type: 'string' },
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
      default: { description: 'Refused.', content: { 'application/problem+json': problem } },
    },
  }
}

function parametersOf({ path, query, writes, guarded }: Route): readonly Json[] {
  const text = { type: 'string' }
  const header = (name: string) => ({ name, in: 'header', required: false, schema: text })
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: text,
  }))
  const { properties = {}, required = [] } = query === null ? {} : schemaOf(query, 'input')
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
