/** Follows the events of a conversation over one connection after another. */
import { pathOf, send } from './api.ts'
import { serverEvents } from './server-events.ts'
import type { EngineEvent } from './types.ts'

/** Calls back for each new event, and with null when the conversation was purged. */
export function follow(
  id: string,
  after: string,
  notify: (events: readonly EngineEvent[] | null) => void,
): () => void {
  const ending = new AbortController()
  void run(id, after, notify, ending.signal)
  return () => ending.abort()
}

async function run(
  id: string,
  after: string,
  notify: (events: readonly EngineEvent[] | null) => void,
  signal: AbortSignal,
): Promise<void> {
  let last = after
  while (!signal.aborted) {
    try {
      const headers: Record<string, string> = last === '' ? {} : { 'last-event-id': last }
      const answer = await send(pathOf(id, 'events', 'stream'), { headers, signal })
      for await (const arrived of serverEvents(answer)) {
        if (arrived.some(({ event }) => event === 'conversation-purged')) notify(null)
        const numbered = arrived.filter(({ id: number }) => number !== '')
        last = numbered.at(-1)?.id ?? last
        if (numbered.length > 0) notify(numbered.map(({ data }) => JSON.parse(data) as EngineEvent))
      }
    } catch {
      // A lost connection: the next one continues after the last event.
    }
    await new Promise((resolve) => setTimeout(resolve, signal.aborted ? 0 : 1500))
  }
}
