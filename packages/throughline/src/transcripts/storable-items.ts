/**
 * The last step of every reader: makes ids and keys valid and unique, meta plain, and exact text well
 * formed. Readers can use names as they find them, and imports append every item without a check.
 */
import type { JsonObject, JsonValue, MessageInput, PartInput } from '../index.ts'
import { limits } from './limits-data.ts'
import { maxIdLength, maxKeyLength, NameCounts, UniqueNames, validName } from './names.ts'
import type { TranscriptConversation, TranscriptItem } from './transcript.ts'

/** Datasets have questions too; no transcript of a tool has any. */
export type StoredItem =
  | TranscriptItem
  | { readonly kind: 'question'; readonly conversationId: string }

export class StorableItems {
  /** The id of a conversation with an empty name. */
  readonly #fallbackId: string
  /** Hashes of names that are used as ids unchanged: a file may have any number. */
  readonly #unchangedIds = new NameCounts()
  readonly #idOfName = new Map<string, string>()
  readonly #ids = new UniqueNames()
  readonly #keys = new UniqueNames()

  constructor(fallbackId: string) {
    this.#fallbackId = fallbackId
  }

  makeStorable<Item extends StoredItem>(item: Item): Item {
    return this.#storable(item) as Item
  }

  #storable(item: StoredItem): StoredItem {
    switch (item.kind) {
      case 'conversation':
        return this.#conversation(item)
      case 'message': {
        const conversationId = this.#id(item.conversationId)
        return { ...item, conversationId, message: this.#message(item.message, conversationId) }
      }
      case 'compaction':
      case 'question':
      case 'branch':
        return { ...item, conversationId: this.#id(item.conversationId) }
      case 'problem':
        return item
    }
  }

  #conversation({ kind, id, title, parent, meta }: TranscriptConversation): TranscriptConversation {
    const validId = this.#id(id)
    const parentId = parent === null ? validId : this.#id(parent.conversationId)
    const callId = parent?.callId ? validName(parent.callId, maxKeyLength) : null
    return {
      kind,
      id: validId,
      title: title?.slice(0, limits.maxTitleLength).toWellFormed() ?? null,
      // No conversation is its own parent, whatever a file says.
      parent: parentId === validId ? null : { conversationId: parentId, callId },
      meta: meta && plainMeta(meta),
    }
  }

  #message(message: MessageInput, conversationId: string): MessageInput {
    const { content, meta, key, raw } = message
    return {
      ...message,
      content: typeof content === 'string' ? content : content.map(withValidCallId),
      meta: (meta && plainMeta(meta)) ?? undefined,
      key: key === undefined ? undefined : this.#key(key, conversationId),
      // Half a surrogate pair has no UTF-8, so this text is not exact.
      raw: typeof raw === 'string' && !raw.isWellFormed() ? undefined : raw,
    }
  }

  /** One id for each name: readers make names unique, and this keeps them so. */
  #id(name: string): string {
    const known = this.#idOfName.get(name)
    if (known !== undefined) return known
    if (this.#unchangedIds.has(name)) return name
    const id = this.#ids.take(validName(name || this.#fallbackId, maxIdLength))
    if (id === name) this.#unchangedIds.add(name)
    else this.#idOfName.set(name, id)
    return id
  }

  #key(name: string, conversationId: string): string {
    return this.#keys.take(validName(name, maxKeyLength), conversationId)
  }
}

/** Gives a call, its result and the conversation that it started the same id. */
function withValidCallId(part: PartInput): PartInput {
  if (part.type !== 'tool-call' && part.type !== 'tool-result') return part
  return { ...part, callId: validName(part.callId, maxKeyLength) }
}

export function plainMeta(meta: JsonObject): JsonObject | null {
  const plain = Object.entries(meta).filter(([, value]) => isPlain(value, 1))
  return plain.length === 0 ? null : Object.fromEntries(plain)
}

function isPlain(value: JsonValue, depth: number): boolean {
  // `1e999` is valid JSON, and parses to Infinity.
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  if (depth > limits.maxMetaDepth) return false
  return Object.values(value).every((inner) => isPlain(inner, depth + 1))
}
