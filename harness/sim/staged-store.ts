/** A store whose every command waits to be drawn, and may fail before it is done or behind it. */
import { type Store, ThroughlineError } from 'throughline'
import type { TenantStore } from 'throughline/stores'
import type { Chance } from '../kernel/chance.ts'
import type { Schedule } from './schedule.ts'

export interface Staging {
  /** Named in the schedule. */
  readonly name: string
  readonly schedule: Schedule
  readonly chance: Chance
  /** Once in so many commands one fails; 0 for never. */
  readonly failsInTimes: number
  /** Whether the engine of it is gone: from then on nothing of it goes on. */
  isGone(): boolean
  failed(what: string): void
}

const never = new Promise<never>(() => {})

export function stagedStore(store: Store, staging: Staging): Store {
  return {
    close: () => store.close(),
    tenant: (id) => stagedTenant(store.tenant(id), staging),
  }
}

function stagedTenant(store: TenantStore, staging: Staging): TenantStore {
  const { name: engine, schedule, chance, failsInTimes, isGone, failed } = staging
  const drawn = async (label: string) => {
    await schedule.wait(`${engine} ${label}`)
    if (isGone()) await never
  }
  const unlessGone = async (work: () => Promise<unknown>): Promise<unknown> => {
    try {
      return await work()
    } finally {
      // Killed within it: nobody hears how it ended.
      if (isGone()) await never
    }
  }
  // All commands of a store are functions that promise something.
  return new Proxy(store, {
    get: (target, name) => {
      const label = String(name)
      const command = Reflect.get(target, name) as (...given: readonly unknown[]) => unknown
      return async (...given: readonly unknown[]) => {
        await drawn(label)
        const fails = failsInTimes > 0 && chance.once(failsInTimes)
        const isBefore = fails && chance.once(2)
        if (isBefore) throw broken(`before ${label}`, failed)
        const outcome = await unlessGone(async () => command.apply(target, [...given]))
        if (fails) throw broken(`behind ${label}`, failed)
        return outcome
      }
    },
  })
}

function broken(what: string, failed: (what: string) => void): ThroughlineError {
  failed(what)
  return new ThroughlineError('STORE_FAILED', `put in: ${what}`)
}
