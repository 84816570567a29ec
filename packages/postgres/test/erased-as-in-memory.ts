import type { Store } from 'throughline/stores'
import { expect } from 'vitest'

/**
 * The one difference to other stores: PostgreSQL overwrites deleted bytes later, so its purges say that
 * bytes remain. Checks that they say so, and answers as a store that has overwritten them.
 */
export function erasedAsInMemory(store: Store): Store {
  return {
    close: () => store.close(),
    tenant: (id) => {
      const tenant = store.tenant(id)
      return {
        ...tenant,
        purge: async (command) => {
          const outcome = await tenant.purge(command)
          return 'erased' in outcome ? { ...outcome, ...erased(outcome) } : outcome
        },
        rewrite: async (command) => {
          const outcome = await tenant.rewrite(command)
          if (!('erased' in outcome) || command.how !== 'purge') return outcome
          return { ...outcome, ...erased(outcome) }
        },
      }
    },
  }
}

function erased({
  erased,
  remains,
}: {
  readonly erased: boolean
  readonly remains: readonly string[]
}) {
  expect({ erased, remains }).toEqual({ erased: false, remains: ['database', 'write-ahead-log'] })
  return { erased: true, remains: Object.freeze([]) } as const
}
