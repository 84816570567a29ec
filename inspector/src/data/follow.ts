/** Follows the events of a conversation over one connection after another. */
import { pathOf, send } from './api.ts'
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
      const { body } = await send(pathOf(id, 'events', 'stream'), { headers, signal })
      const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
      let text = ''
      while (reader !== undefined) {
        const { done, value } = await reader.read()
        if (done) break
        text += value
        const frames = text.split('\n\n')
        text = frames.pop() ?? ''
        const events: EngineEvent[] = []
        for (const frame of frames) {
          const field = (name: string) =>
            frame
              .split('\n')
              .find((line) => line.startsWith(`${name}: `))
              ?.slice(name.length + 2) ?? ''
          if (field('event') === 'conversation-purged') notify(null)
          if (field('id') === '') continue
          last = field('id')
          events.push(JSON.parse(field('data')) as EngineEvent)
        }
        if (events.length > 0) notify(events)
      }
    } catch {
      // A lost connection: the next one continues after the last event.
    }
    await new Promise((resolve) => setTimeout(resolve, signal.aborted ? 0 : 1500))
  }
}
