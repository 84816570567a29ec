/**
 * Which response answers which call. Ids are optional here: a response with an id
 * answers the call of that id, one without the first open call of its name.
 */
import { isFilled } from '../unknown-json.ts'

export interface Named {
  readonly id?: unknown
  readonly name?: unknown
}

/** For each response the index of its call; -1 where there is none. */
export function answeredCalls(
  calls: readonly Named[],
  responses: readonly Named[],
): readonly number[] {
  const taken = new Set<number>()
  const take = (fits: (call: Named) => boolean) => {
    const index = calls.findIndex((call, at) => !taken.has(at) && fits(call))
    if (index >= 0) taken.add(index)
    return index
  }
  const byId = responses.map(({ id }) => (isFilled(id) ? take((call) => call.id === id) : -1))
  return responses.map(({ id, name }, at) =>
    isFilled(id) ? (byId[at] ?? -1) : take((call) => call.name === name),
  )
}
