/** The conversations of a transcript or a dataset, ready to be replayed. */
import type { MessageInput } from 'throughline'
import type { TranscriptConversation } from 'throughline/transcripts'
import {
  type RecordedConversation,
  recordedConversation,
} from '../packages/throughline/src/cli/simulation/recorded-conversation.ts'
import type { DatasetItem } from './datasets/dataset-item.ts'

/** Skips the questions of datasets. */
export async function readConversations(
  items: AsyncIterable<DatasetItem>,
): Promise<readonly RecordedConversation[]> {
  const conversations = new Map<string, TranscriptConversation>()
  const messages = new Map<string, MessageInput[]>()
  for await (const item of items) {
    if (item.kind === 'conversation') conversations.set(item.id, item)
    if (item.kind !== 'message') continue
    const before = messages.get(item.conversationId)
    if (before === undefined) messages.set(item.conversationId, [item.message])
    else before.push(item.message)
  }
  return [...messages].map(([id, all]) =>
    recordedConversation(id, all, conversations.get(id) ?? null),
  )
}
