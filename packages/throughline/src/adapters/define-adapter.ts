/** An adapter whose writing is checked against its own rules: nothing else leaves. */
import { describe } from '../domain/describe.ts'
import { ThroughlineError } from '../errors.ts'
import type { Adapter } from '../ports/adapter.ts'

export function defineAdapter<Request extends object>(adapter: Adapter<Request>): Adapter<Request> {
  return Object.freeze({
    ...adapter,
    read: (request: Request) => {
      if (typeof request === 'object' && request !== null) return adapter.read(request)
      throw new ThroughlineError(
        'REQUEST_INVALID',
        `${adapter.format}: a request is an object, got ${describe(request)}`,
      )
    },
    write: (context: Parameters<Adapter<Request>['write']>[0]) => {
      const request = adapter.write(context)
      const problems = adapter.problems(request)
      const [first] = problems
      if (first !== undefined)
        throw new ThroughlineError(
          'REQUEST_INVALID',
          `${adapter.format}: ${first.at} ${first.message} (${first.rule}${
            problems.length > 1 ? `, and ${problems.length - 1} more` : ''
          })`,
        )
      return request
    },
  })
}
