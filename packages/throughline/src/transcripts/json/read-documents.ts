/** Files of several JSON documents, each of which is a conversation: read one behind the other. */

import type { TranscriptItem } from '../transcript.ts'
import type { Choose, JsonElement } from './scan-event.ts'
import { type ReaderInput, scanSource } from './scan-source.ts'

/** One of them, as its elements come. */
export interface ReadDocument {
  readonly root: number
  take(element: JsonElement): Iterable<TranscriptItem>
  end(): Iterable<TranscriptItem>
}

export async function* readDocuments(
  input: ReaderInput,
  choose: Choose,
  begin: (root: number, name: string) => ReadDocument,
): AsyncGenerator<TranscriptItem> {
  const name = input.name ?? 'conversation'
  let document: ReadDocument | null = null
  for await (const event of scanSource(input, choose)) {
    if (event.kind === 'problem') {
      yield event
      continue
    }
    // What breaks off was reported, and must not begin a conversation without messages.
    if (!event.complete) continue
    if (document?.root !== event.root) {
      if (document !== null) yield* document.end()
      document = begin(event.root, name)
    }
    yield* document.take(event)
  }
  if (document !== null) yield* document.end()
}
