/**
 * Lets others run between the calls of a store that answers at once, as SQLite and memory do: promises
 * alone never return to the event loop, so many conversations at a time would block it. A
 * conversation alone does not wait: its own long work has pauses.
 */
import type { TenantStore } from '../ports/store.ts'
import type { createTurns } from '../system.ts'

/** Calls keep their order. */
export function fairStore(store: TenantStore, turnIfBusy: ReturnType<typeof createTurns>) {
  const inTurn =
    <Query extends object, Value>(call: (query: Query) => Promise<Value>) =>
    (query: Query): Promise<Value> =>
      turnIfBusy('id' in query ? query.id : null)?.then(() => call(query)) ?? call(query)
  return {
    create: inTurn((command) => store.create(command)),
    load: inTurn((query) => store.load(query)),
    list: inTurn((query) => store.list(query)),
    append: inTurn((command) => store.append(command)),
    read: inTurn((query) => store.read(query)),
    bytes: inTurn((query) => store.bytes(query)),
    commit: inTurn((command) => store.commit(command)),
    record: inTurn((command) => store.record(command)),
    index: inTurn((command) => store.index(command)),
    search: inTurn((query) => store.search(query)),
    events: inTurn((query) => store.events(query)),
    rewrite: inTurn((command) => store.rewrite(command)),
    purge: inTurn((command) => store.purge(command)),
    vectors: store.vectors,
  } satisfies TenantStore
}
