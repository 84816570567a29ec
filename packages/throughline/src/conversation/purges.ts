/**
 * Work on conversations that are purged or rewritten meanwhile: it ends at once, so that no text
 * of before is sent to a model any more. Of this process; another one finds that it has nothing to
 * commit.
 */
export interface Purges {
  /** Aborted when the conversation is purged, or messages of it are edited, removed or purged. */
  watch(tenant: string, conversation: string): Watch
  changed(tenant: string, conversations: readonly string[]): void
}

interface Watch {
  readonly signal: AbortSignal
  end(): void
}

/** Of one engine. */
export function createPurges(): Purges {
  const watched = new Map<string, Set<AbortController>>()
  const keyOf = (tenant: string, conversation: string) => JSON.stringify([tenant, conversation])
  return {
    watch(tenant, conversation) {
      const key = keyOf(tenant, conversation)
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
    changed(tenant, conversations) {
      for (const conversation of conversations)
        for (const watch of watched.get(keyOf(tenant, conversation)) ?? []) watch.abort()
    },
  }
}
