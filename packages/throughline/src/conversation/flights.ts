/**
 * Who has a summary written right now: one at a time for each conversation, in this process.
 * Whoever comes meanwhile waits as long as it can, and then looks again or goes on without.
 */
import type { ConversationId } from '../domain/ids.ts'
import type { SummaryWriter } from '../flow/summarize/summary-writer.ts'
import type { Timer } from '../ports/timer.ts'

export interface Flights {
  /** Of one request or job, which may take off once and ends in any case. */
  hold(tenant: string, id: ConversationId, signal: AbortSignal | null): Flight
}

export interface Flight {
  readonly take: SummaryWriter['take']
  /** Without effect where it was not taken. */
  end(): void
}

/** Of one engine. */
export function createFlights(timer: Timer): Flights {
  const flights = new Map<string, Promise<void>>()
  /** Those that somebody has waited for in vain: nobody waits for one of them twice. */
  const slow = new WeakSet<Promise<void>>()
  return {
    hold(tenant, id, signal) {
      const key = JSON.stringify([tenant, id])
      let end: (() => void) | null = null
      return {
        take: async (waitMs) => {
          if (end !== null) return 'taken'
          const other = flights.get(key)
          if (other !== undefined) {
            if (waitMs !== null && slow.has(other)) return 'waited'
            const waited = await within(other, waitMs, signal, timer)
            if (waited === 'waited') slow.add(other)
            return waited
          }
          const { promise, resolve } = Promise.withResolvers<void>()
          flights.set(key, promise)
          end = () => {
            if (flights.get(key) === promise) flights.delete(key)
            resolve()
          }
          return 'taken'
        },
        end: () => end?.(),
      }
    },
  }
}

/** Nobody has to wait for a model that somebody else has asked. */
async function within(
  other: Promise<void>,
  waitMs: number | null,
  signal: AbortSignal | null,
  timer: Timer,
): Promise<'ended' | 'waited'> {
  const over = new AbortController()
  const signals = signal === null ? [over.signal] : [over.signal, signal]
  const waited = timer
    .wait(waitMs ?? Number.MAX_SAFE_INTEGER, AbortSignal.any(signals))
    .then(() => 'waited' as const)
  const first = await Promise.race([other.then(() => 'ended' as const), waited])
  over.abort()
  // Who gave up looks again, and sees that.
  return signal?.aborted ? 'ended' : first
}
