/**
 * Files in which a record begins a conversation, and those behind it are what it holds. Where the
 * first of them comes without such a beginning, the conversation is named after the file.
 */
import type { JsonObject } from '../index.ts'
import type { ReaderInput } from './json/scan-source.ts'
import { readRecords, type TranscriptRecord } from './records.ts'
import type { TranscriptConversation, TranscriptItem } from './transcript.ts'
import { UniqueNames } from './unique-names.ts'

interface HeadedFormat {
  /** For a file without a name. */
  readonly fallbackName: string
  isHeader(value: JsonObject): boolean
  /** What is neither header nor item is passed over. */
  isItem(value: JsonObject): boolean
  conversationOf(header: JsonObject, ids: UniqueNames, name: string): TranscriptConversation
  itemOf(record: TranscriptRecord, conversationId: string): TranscriptItem
}

export async function* readHeadedRecords(
  input: ReaderInput,
  { fallbackName, isHeader, isItem, conversationOf, itemOf }: HeadedFormat,
): AsyncGenerator<TranscriptItem> {
  const ids = new UniqueNames()
  let conversation: TranscriptConversation | null = null
  for await (const record of readRecords(input)) {
    if (record.kind === 'problem') {
      yield record
      continue
    }
    const [begins, holds] = [isHeader(record.value), isItem(record.value)]
    if (begins || (conversation === null && holds)) {
      conversation = conversationOf(begins ? record.value : {}, ids, input.name ?? fallbackName)
      yield conversation
    }
    if (conversation !== null && holds) yield itemOf(record, conversation.id)
  }
}
