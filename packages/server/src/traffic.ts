/** What requests share in memory: rates per key, one rewrite at a time per conversation, and wakers of streams. */

/** A bucket per key that refills within a minute. Returns how long the key must wait; 0 for not at all. */
export function createRateLimiter(perMinute: number): (key: string) => number {
  const buckets = new Map<string, { readonly tokens: number; readonly at: number }>()
  return (key) => {
    const at = performance.now()
    const bucket = buckets.get(key) ?? { tokens: perMinute, at }
    const refilled = bucket.tokens + ((at - bucket.at) * perMinute) / 60_000
    const tokens = Math.min(perMinute, refilled)
    buckets.set(key, { tokens: tokens >= 1 ? tokens - 1 : tokens, at })
    return tokens >= 1 ? 0 : ((1 - tokens) * 60_000) / perMinute
  }
}

/** Runs one at a time for each place, so that If-Match compares what is then changed. */
export function createConversationLocks() {
  const tails = new Map<string, Promise<unknown>>()
  return <Value>(place: string, run: () => Promise<Value>): Promise<Value> => {
    const before = tails.get(place) ?? Promise.resolve()
    const result = before.then(run, run)
    tails.set(place, result)
    const clean = () => {
      if (tails.get(place) === result) tails.delete(place)
    }
    result.then(clean, clean)
    return result
  }
}

/**
 * Lets requests begin for some milliseconds of each turn of the event loop: hundreds of them in one turn would stop
 * new connections, timers and streams.
 */
export function createPacer(): () => Promise<void> {
  const waiting: (() => void)[] = []
  let startedAt: number | null = null
  // Called once for each of them: what has begun runs up to its first wait before the next call.
  const next = () => {
    const now = performance.now()
    if (startedAt === null) {
      startedAt = now
      setImmediate(() => {
        startedAt = null
      })
    }
    if (now - startedAt < beginMs) waiting.shift()?.()
    else setImmediate(next)
  }
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve)
      setImmediate(next)
    })
}

const beginMs = 5

/** Whom to notify when a conversation may have new events. */
export function createWakers() {
  const byPlace = new Map<string, Set<() => void>>()
  return {
    /** Returns a function that ends the notifications. */
    add: (place: string, notify: () => void): (() => void) => {
      const all = byPlace.get(place) ?? new Set()
      byPlace.set(place, all.add(notify))
      return () => {
        all.delete(notify)
        if (all.size === 0 && byPlace.get(place) === all) byPlace.delete(place)
      }
    },
    wake: (place: string): void => {
      for (const notify of [...(byPlace.get(place) ?? [])]) notify()
    },
  }
}
