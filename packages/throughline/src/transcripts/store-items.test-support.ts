/** Appends everything that a reader yields, as an import does. */

import type { DatasetItem } from '../../../../bench/datasets/dataset-item.ts'
import { conversationId } from '../domain/ids.ts'
import { createThroughline } from '../throughline.ts'
import type { TranscriptConversation } from './transcript.ts'

/** Returns the message count of each conversation. Throws if the engine refuses an item. */
export async function storeItems(
  items: Iterable<DatasetItem>,
): Promise<ReadonlyMap<string, number>> {
  const engine = createThroughline()
  const heads = new Map<string, number>()
  for (const item of items) {
    if (item.kind === 'conversation') {
      const started = await engine.begin(item.id, inputOf(item))
      if (!started.ok) throw new Error(`the conversation ${JSON.stringify(item.id)} begins twice`)
      heads.set(item.id, 0)
    }
    if (item.kind !== 'message') continue
    const { head } = await engine.conversation(item.conversationId).append(item.message)
    // A message with a known key and content adds nothing, so it would be lost.
    if (head !== (heads.get(item.conversationId) ?? Number.NaN) + 1)
      throw new Error(`the message ${JSON.stringify(item.message.key)} was not added`)
    heads.set(item.conversationId, head)
  }
  return heads
}

function inputOf({ title, meta, parent }: TranscriptConversation) {
  return {
    title: title ?? undefined,
    meta: meta ?? undefined,
    parent: parent
      ? { conversationId: conversationId(parent.conversationId), callId: parent.callId }
      : undefined,
  }
}
