/**
 * The store in memory, the reference for all stores. It keeps the same sealed rows as a database
 * and decodes them at each read, so callers cannot change stored data.
 */
import type { TenantId } from '../domain/ids.ts'
import { ThroughlineError } from '../errors.ts'
import type { Store } from '../ports/store.ts'
import { type MemoryState, memoryTenant, stateOf } from './memory/tenant.ts'

/**
 * A store that lives as long as the process; the default of `createThroughline`.
 *
 * @example
 * const engine = createThroughline({ store: memory() })
 */
export function memory(): Store {
  let tenants: Map<TenantId, MemoryState> | null = new Map()
  const state = (id: TenantId) => {
    if (tenants === null) throw new ThroughlineError('STORE_CLOSED', 'the memory store was closed')
    return stateOf(tenants, id)
  }
  return {
    tenant: (id) => memoryTenant(id, () => state(id)),
    close: async () => {
      tenants = null
    },
  }
}
