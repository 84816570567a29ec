/**
 * Who has a summary written right now: one at a time for each conversation, in this process.
 * Whoever comes meanwhile waits as long as it can, and then looks again or goes on without.
 */
import type { ConversationId } from '../domain/ids.ts'
import type { SummaryWriter } from '../flow/summary-writer.ts'
import type { Timer } from '../ports/timer.ts'

export interface Flights {
  /** Of one request or job, which may take off once and ends in any case. */
  hold(tenant: string, id: ConversationId): Flight
}

export interface Flight {
  readonly take: SummaryWriter['take']
  /** Without effect where it was not taken. */
  end(): void
}

/** Of one engine. */
export function createFlights(timer: Timer): Flights {
  const flights = new Map<string, Promise<void>>()
  return {
    hold(tenant, id) {
      const key = JSON.stringify([tenant, id])
      let end: (() => void) | null = null
      return {
        take: async (waitMs) => {
          if (end !== null) return 'taken'
          const other = flights.get(key)
          if (other !== undefined) return within(other, waitMs, timer)
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

async function within(
  other: Promise<void>,
  waitMs: number | null,
  timer: Timer,
): Promise<'ended' | 'waited'> {
  const ended = other.then(() => 'ended' as const)
  if (waitMs === null) return ended
  const over = new AbortController()
  const waited = timer.wait(waitMs, over.signal).then(() => 'waited' as const)
  const first = await Promise.race([ended, waited])
  over.abort()
  return first
}
