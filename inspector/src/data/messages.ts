import { call, pathOf } from './api.ts'
import type { Message, Page } from './types.ts'

/** Single messages, with whose words they contain. */
export async function messagesAt(
  id: string,
  places: readonly number[],
  signal: AbortSignal,
): Promise<readonly Message[]> {
  const pages = await Promise.all(
    places.map((seq) =>
      call<Page<Message>>(pathOf(id, 'messages'), {
        query: { from: seq, to: seq + 1, origins: true },
        signal,
      }),
    ),
  )
  return pages.flatMap(({ items }) => items)
}
