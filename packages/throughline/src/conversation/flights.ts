/**
 * Who has a summary written right now: one at a time for each conversation and model, in this
 * process. Whoever comes meanwhile waits, and then looks again: most likely it is done.
 */
import type { ConversationId } from '../domain/ids.ts'
import type { TenantStore } from '../ports/store.ts'

export interface Flights {
  /** Null where somebody else was at it, and has ended by now, or the signal has. */
  take(wanted: Wanted): Promise<Taken | null>
}

interface Wanted {
  readonly store: TenantStore
  readonly id: ConversationId
  readonly model: string
  /** Of whoever waits. */
  readonly signal: AbortSignal | null
}

interface Taken {
  end(): void
}

export interface Flight {
  /** False where somebody else was at it. */
  take(): Promise<boolean>
  /** Without effect where it was not taken. */
  end(): void
}

/** The flight of one request, which may be taken and is ended in any case. */
export function holdFlight(flights: Flights, wanted: Wanted): Flight {
  let taken: Taken | null = null
  return {
    take: async () => {
      taken ??= await flights.take(wanted)
      return taken !== null
    },
    end: () => taken?.end(),
  }
}

/** Of one engine. */
export function createFlights(): Flights {
  const byStore = new WeakMap<TenantStore, Map<string, Promise<void>>>()
  return {
    async take({ store, id, model, signal }) {
      const flights = byStore.get(store) ?? new Map<string, Promise<void>>()
      byStore.set(store, flights)
      const key = JSON.stringify([id, model])
      const other = flights.get(key)
      if (other !== undefined) {
        await endOf(other, signal)
        return null
      }
      const { promise, resolve } = Promise.withResolvers<void>()
      flights.set(key, promise)
      return {
        end: () => {
          if (flights.get(key) === promise) flights.delete(key)
          resolve()
        },
      }
    },
  }
}

/** Nobody has to wait for a model that somebody else has asked. */
async function endOf(other: Promise<void>, signal: AbortSignal | null): Promise<void> {
  if (signal === null) return other
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
  const listener = () => stop()
  signal.addEventListener('abort', listener, { once: true })
  if (signal.aborted) stop()
  await Promise.race([other, stopped])
  signal.removeEventListener('abort', listener)
}
