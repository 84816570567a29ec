/** What requests share in memory: rates per key, one rewrite at a time per conversation, and wakers of streams. */

/** A bucket per key that refills within a minute. */
export function createRateLimiter(perMinute: number): (key: string) => boolean {
  const buckets = new Map<string, { readonly tokens: number; readonly at: number }>()
  return (key) => {
    const at = performance.now()
    const bucket = buckets.get(key) ?? { tokens: perMinute, at }
    const refilled = bucket.tokens + ((at - bucket.at) * perMinute) / 60_000
    const tokens = Math.min(perMinute, refilled)
    buckets.set(key, { tokens: tokens >= 1 ? tokens - 1 : tokens, at })
    return tokens >= 1
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

export function createWakers() {
  const waiting = new Map<string, PromiseWithResolvers<void>>()
  return {
    wait: (place: string): Promise<void> => {
      const waker = waiting.get(place) ?? Promise.withResolvers<void>()
      waiting.set(place, waker)
      return waker.promise
    },
    wake: (place: string): void => {
      waiting.get(place)?.resolve()
      waiting.delete(place)
    },
  }
}
