/** Bugs that are put in, each in a wrapper of ours and none in the product, to see that seeds find them. */
import type { Context } from 'throughline'
import type { TenantStore } from 'throughline/stores'

export interface Planted {
  /** Commands of the store, replaced: for engines and for whoever looks. */
  readonly store?: (sound: TenantStore) => Partial<TenantStore>
  /** An engine that hands out another context than it has made. */
  readonly context?: (context: Context) => Context
  /** A kill takes along what stands in the log beside the file. */
  readonly losesLog?: boolean
}

/** A store with some of its commands replaced. */
export function withBug(sound: TenantStore, { store }: Planted): TenantStore {
  if (store === undefined) return sound
  const bugs = store(sound)
  return new Proxy(sound, {
    get: (target, name) => Reflect.get(bugs, name) ?? Reflect.get(target, name).bind(target),
  })
}
