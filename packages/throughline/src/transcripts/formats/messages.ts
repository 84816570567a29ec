/** Logs of messages, one on each line, in one conversation unless they name theirs. */
import { conversationFields } from '../formats-data.ts'
import { metaOf } from '../json/json-access.ts'
import { formatPath } from '../json/json-elements.ts'
import type { JsonNode } from '../json/raw-json.ts'
import type { ReaderInput } from '../json/scan-source.ts'
import { limits } from '../limits-data.ts'
import { NameCounts, RecentNames } from '../names.ts'
import { readListedRecords, type TranscriptRecord } from '../records.ts'
import { messageTime } from '../times.ts'
import {
  conversationItem,
  messageItem,
  problemItem,
  type TranscriptItem,
  usageIn,
} from '../transcript.ts'
import { ChatMessages, chatUsage, readAnyForm } from './chat-message.ts'

export async function* readMessages(input: ReaderInput): AsyncGenerator<TranscriptItem> {
  const log = new MessageLog(input.name ?? 'conversation')
  for await (const record of readListedRecords(input))
    if (record.kind === 'problem') yield record
    else yield* log.take(record)
}

class MessageLog {
  readonly #name: string
  readonly #startedIds = new NameCounts()
  readonly #chats = new RecentNames<ChatMessages>(limits.chatsKept)

  constructor(name: string) {
    this.#name = name
  }

  *take(record: TranscriptRecord): Generator<TranscriptItem> {
    const { value, text, line } = record
    const id = this.#conversationOf(record)
    const recordKey = formatPath(record.path) || `line:${line}`
    const message = readAnyForm(this.#chatOf(id), value, recordKey)
    if (message === null) {
      yield problemItem(line, 'the record holds no message of a known role')
      return
    }
    if (!this.#startedIds.has(id)) {
      this.#startedIds.add(id)
      yield conversationItem(id)
    }
    const usage = value.field('usage')
    const isAssistant = message.role === 'assistant'
    yield messageItem(
      {
        ...message,
        author: message.author ?? value.filled('author') ?? undefined,
        status: value.get('status') === 'incomplete' ? 'incomplete' : undefined,
        createdAt: messageTime(value),
        meta: metaOf({ ...message.meta, ...value.object('meta'), metadata: value.get('metadata') }),
        key: value.filled('key') ?? nameIn(value, 'id') ?? recordKey,
        raw: text,
      },
      {
        conversationId: id,
        line,
        usage: isAssistant ? (chatUsage(usage) ?? usageIn(usage, 'anthropic')) : null,
        model: isAssistant ? value.filled('model') : null,
      },
    )
  }

  /** A list is a conversation of its own; messages on lines share one. */
  #conversationOf({ value, path, root }: TranscriptRecord): string {
    for (const field of conversationFields) {
      const id = nameIn(value, field)
      if (id !== null) return id
    }
    return path.length === 0 || root === 0 ? this.#name : `${this.#name}#${root + 1}`
  }

  #chatOf(id: string): ChatMessages {
    const chat = this.#chats.get(id) ?? new ChatMessages()
    this.#chats.set(id, chat)
    return chat
  }
}

/** Numbers as their exact text: large ones become equal when parsed. */
function nameIn(value: JsonNode, field: string): string | null {
  return typeof value.get(field) === 'number' ? value.field(field).exact() : value.filled(field)
}
