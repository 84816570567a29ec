/** Work on one conversation, one behind the other: a turn that is handed over late is not taken for one that never was. */
import type { Internals } from '../conversation/runtime.ts'

const waiting = new WeakMap<object, Map<string, Promise<unknown>>>()

export async function oneAtATime<Value>(
  { store, id }: Pick<Internals, 'store' | 'id'>,
  work: () => Promise<Value>,
): Promise<Value> {
  const queues = waiting.get(store) ?? new Map<string, Promise<unknown>>()
  waiting.set(store, queues)
  const before = queues.get(id) ?? Promise.resolve()
  const mine = before.then(work, work)
  queues.set(id, mine)
  try {
    return await mine
  } finally {
    if (queues.get(id) === mine) queues.delete(id)
  }
}
