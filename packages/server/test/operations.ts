/** The operations of the OpenAPI document, and whether an answer is as the document says. */
import { Ajv2020 } from 'ajv/dist/2020.js'

type Schema = Readonly<Record<string, unknown>>

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: Schema
}

export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly role: 'read' | 'write' | 'admin'
  readonly parameters: readonly Parameter[]
  /** Null for operations without a body. */
  readonly body: Schema | null
  /** Why an answer is not as documented; null where it is. */
  problemOf(answer: Answered): string | null
}

export interface Answered {
  readonly status: number
  readonly type: string
  readonly text: string
}

interface Described {
  readonly operationId: string
  readonly 'x-role': Operation['role']
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses: Readonly<
    Record<string, { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> }>
  >
}

interface Document {
  readonly components: Schema
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
}

export function operationsOf(document: Document): readonly Operation[] {
  const { components } = document
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      id: described.operationId,
      method: method.toUpperCase(),
      path,
      role: described['x-role'],
      parameters: described.parameters,
      body: described.requestBody?.content['application/json']?.schema ?? null,
      problemOf: checkerOf(described, components),
    })),
  )
}

function checkerOf({ responses }: Described, components: Schema): Operation['problemOf'] {
  const ajv = new Ajv2020({ strict: false })
  const validators = new Map<string, ReturnType<typeof ajv.compile>>()
  return ({ status, type, text }) => {
    const content = responses[status]?.content
    if (content === undefined) return `status ${status} is not documented: ${text.slice(0, 200)}`
    const name = type.split(';')[0] ?? ''
    const media = content[name]
    if (media === undefined) return `content type ${type} of ${status} is not documented`
    if (media.schema === undefined) return null
    const key = `${status} ${name}`
    const validate = validators.get(key) ?? ajv.compile({ ...media.schema, components })
    validators.set(key, validate)
    let body: unknown
    try {
      body = JSON.parse(text)
    } catch {
      return `${status} is not JSON: ${text.slice(0, 200)}`
    }
    return validate(body) ? null : `${status}: ${ajv.errorsText(validate.errors)}`
  }
}
