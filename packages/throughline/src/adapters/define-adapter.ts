/** Wraps an adapter: checks the arguments of `read` and `write`, and written requests against its rules. */
import { describe } from '../domain/text.ts'
import { ThroughlineError } from '../errors.ts'
import type { Adapter } from '../ports/adapter.ts'
import { isObject } from './unknown-json.ts'

interface RequestShape {
  /** The field with the messages of a request. */
  readonly messagesField: string
  /** Whether that field may also be a string. */
  readonly acceptsText?: boolean
}

export function defineAdapter<Request extends object, Input extends object = Request>({
  messagesField,
  acceptsText = false,
  ...adapter
}: Adapter<Request, Input> & RequestShape): Adapter<Request, Input> {
  return Object.freeze({
    ...adapter,
    read: (request: Input) => {
      const problem = requestProblem(request, messagesField, acceptsText)
      if (problem === null) return adapter.read(request)
      throw invalid(`${adapter.format}: read expects a request with ${messagesField}${problem}`)
    },
    write: (context: Parameters<Adapter<Request>['write']>[0]) => {
      const problem = contextProblem(context)
      if (problem !== null)
        throw invalid(`${adapter.format}: write expects a context, got ${problem}`)
      const request = adapter.write(context)
      const [first, ...more] = adapter.problems(request)
      if (first === undefined) return request
      const { at, message, rule } = first
      const others = more.length > 0 ? `, and ${more.length} more` : ''
      throw invalid(`${adapter.format}: ${at} ${message} (${rule}${others})`)
    },
  })
}

function requestProblem(request: unknown, field: string, acceptsText: boolean): string | null {
  if (Array.isArray(request)) return `, got an array: pass it as { ${field} }`
  if (!isObject(request) || isPromise(request)) return `, got ${describeValue(request)}`
  const value = request[field]
  if (Array.isArray(value) || (acceptsText && typeof value === 'string')) return null
  if (value === undefined) return `, got an object without ${field}`
  return `; ${field} must be ${acceptsText ? 'text or ' : ''}an array, got ${describeValue(value)}`
}

const contextLists = ['system', 'tools', 'messages', 'breakpoints']

function contextProblem(value: unknown): string | null {
  if (!isObject(value) || isPromise(value)) return describeValue(value)
  const missing = contextLists.filter((name) => !Array.isArray(value[name]))
  if (!isObject(value['files'])) missing.push('files')
  if (missing.length === 0) return null
  return `an object without ${missing.join(', ')}; chat.context and fit return contexts`
}

function describeValue(value: unknown): string {
  return isPromise(value) ? 'a promise: await it' : describe(value)
}

function isPromise(value: unknown): boolean {
  return isObject(value) && typeof value['then'] === 'function'
}

function invalid(message: string): ThroughlineError {
  return new ThroughlineError('REQUEST_INVALID', message)
}
