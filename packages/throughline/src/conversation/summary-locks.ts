/**
 * Locks: one summary at a time for each conversation in this process. Other requests wait as long
 * as they can, then check for the summary again, or continue without it.
 */
import type { ConversationId } from '../domain/ids.ts'
import type { SummaryWriter } from '../flow/summarize/summary-writer.ts'
import type { Timer } from '../ports/timer.ts'

export interface SummaryLocks {
  /** A free lock: a request or job takes it before it asks models, and always ends it. */
  lockFor(tenant: string, id: ConversationId, signal: AbortSignal | null): SummaryLock
}

export interface SummaryLock {
  readonly take: SummaryWriter['takeLock']
  /** No effect where it was not taken. */
  end(): void
}

export function createSummaryLocks(timer: Timer): SummaryLocks {
  const running = new Map<string, Promise<void>>()
  /** Summaries that a request has waited for in vain: none is waited for twice. */
  const slow = new WeakSet<Promise<void>>()
  return {
    lockFor(tenant, id, signal) {
      const key = conversationKey(tenant, id)
      let end: (() => void) | null = null
      return {
        take: async (waitMs) => {
          if (end !== null) return 'taken'
          const other = running.get(key)
          if (other !== undefined) {
            if (waitMs !== null && slow.has(other)) return 'waited'
            const waited = await waitFor(other, waitMs, signal, timer)
            if (waited === 'waited') slow.add(other)
            return waited
          }
          const { promise, resolve } = Promise.withResolvers<void>()
          running.set(key, promise)
          end = () => {
            if (running.get(key) === promise) running.delete(key)
            resolve()
          }
          return 'taken'
        },
        end: () => end?.(),
      }
    },
  }
}

/** Waits for the summary of another request, up to a time limit. */
async function waitFor(
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
  // An aborted request continues and finds its signal aborted.
  return signal?.aborted ? 'ended' : first
}

export function conversationKey(tenant: string, conversation: string): string {
  return JSON.stringify([tenant, conversation])
}

/**
 * Aborts running jobs of conversations that are purged or rewritten, so that no old text is sent to
 * a model. Only in this process; in another one, the commit of the job is refused.
 */
export type Purges = ReturnType<typeof createPurges>

export function createPurges() {
  const watched = new Map<string, Set<AbortController>>()
  return {
    /** Aborted when the conversation is purged, or messages of it are edited, removed or purged. */
    watch(
      tenant: string,
      conversation: string,
    ): { readonly signal: AbortSignal; readonly end: () => void } {
      const key = conversationKey(tenant, conversation)
      const watches = watched.get(key) ?? new Set<AbortController>()
      watched.set(key, watches)
      const watch = new AbortController()
      watches.add(watch)
      return {
        signal: watch.signal,
        end: () => {
          watches.delete(watch)
          if (watches.size === 0 && watched.get(key) === watches) watched.delete(key)
        },
      }
    },
    changed(tenant: string, conversations: readonly string[]): void {
      for (const conversation of conversations)
        for (const watch of watched.get(conversationKey(tenant, conversation)) ?? []) watch.abort()
    },
  }
}
