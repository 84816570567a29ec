/** Wraps an adapter: checks the arguments of `read` and `write`, and written requests against its rules. */
import { describe } from '../domain/text.ts'
import { ThroughlineError } from '../errors.ts'
import type { Adapter } from '../ports/adapter.ts'
import { isFields } from './unknown-json.ts'

/** The field with the messages of a request; with `orText` it may be a string instead. */
interface ListField {
  readonly field: string
  readonly orText?: boolean
}

export function defineAdapter<Request extends object, Input extends object = Request>({
  list,
  ...adapter
}: Adapter<Request, Input> & { readonly list: ListField }): Adapter<Request, Input> {
  return Object.freeze({
    ...adapter,
    read: (request: Input) => {
      const wrong = notRequest(request, list)
      if (wrong === null) return adapter.read(request)
      throw invalid(`${adapter.format}: read expects a request with ${list.field}${wrong}`)
    },
    write: (context: Parameters<Adapter<Request>['write']>[0]) => {
      const wrong = notContext(context)
      if (wrong !== null) throw invalid(`${adapter.format}: write expects a context, got ${wrong}`)
      const request = adapter.write(context)
      const [first, ...more] = adapter.problems(request)
      if (first === undefined) return request
      const { at, message, rule } = first
      const others = more.length > 0 ? `, and ${more.length} more` : ''
      throw invalid(`${adapter.format}: ${at} ${message} (${rule}${others})`)
    },
  })
}

function notRequest(request: unknown, { field, orText = false }: ListField): string | null {
  if (Array.isArray(request)) return `, got an array: pass it as { ${field} }`
  if (!isFields(request) || isPromise(request)) return `, got ${describeValue(request)}`
  const value = request[field]
  if (Array.isArray(value) || (orText && typeof value === 'string')) return null
  if (value === undefined) return `, got an object without ${field}`
  return `; ${field} must be ${orText ? 'text or ' : ''}an array, got ${describeValue(value)}`
}

const contextLists = ['system', 'tools', 'messages', 'breakpoints']

function notContext(value: unknown): string | null {
  if (!isFields(value) || isPromise(value)) return describeValue(value)
  const missing = contextLists.filter((name) => !Array.isArray(value[name]))
  if (!isFields(value['files'])) missing.push('files')
  if (missing.length === 0) return null
  return `an object without ${missing.join(', ')}; chat.context and fit return contexts`
}

function describeValue(value: unknown): string {
  return isPromise(value) ? 'a promise: await it' : describe(value)
}

function isPromise(value: unknown): boolean {
  return isFields(value) && typeof value['then'] === 'function'
}

function invalid(why: string): ThroughlineError {
  return new ThroughlineError('REQUEST_INVALID', why)
}
