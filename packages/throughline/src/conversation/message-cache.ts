/**
 * Caches the newest messages of recently used conversations: the next request reads only newer
 * ones. A chain hash identifies a whole history, so it proves that the cache matches the store.
 */
import { defaults } from '../defaults-data.ts'
import type { Sha256 } from '../domain/hash.ts'
import type { Seq } from '../domain/ids.ts'
import type { Message } from '../domain/message.ts'
import { chainHash } from '../domain/placement.ts'
import type { Span } from '../domain/span.ts'

export interface TailCache {
  read(serial: number, query: TailQuery): Promise<readonly Message[]>
  /** Adds messages that were just appended, if they follow the cached ones. */
  extend(serial: number, messages: () => readonly Message[]): void
}

interface TailQuery {
  readonly span: Span
  readonly except: readonly Seq[]
  /** The end of the conversation when its state was read. */
  readonly head: Seq
  readonly chain: string
  readonly rewrites: number
  read(span: Span, except: readonly Seq[]): Promise<readonly Message[]>
}

interface Entry {
  /** The place after the last known message. */
  to: Seq
  chain: string
  /** A chain does not cover all of a message: an edit may leave it the same. */
  readonly rewrites: number
  readonly messages: MessageCache
}

export function createTailCache(sha256: Sha256): TailCache {
  const maxCharacters = defaults.tailCacheCharacters
  const entries = new RecentMap<number, Entry>(maxCharacters, ({ messages }) => messages.characters)
  return {
    async read(serial, query) {
      const { span, except, head, chain, rewrites, read } = query
      const known = entries.get(serial)
      const isTail = span.to === head
      const found = known && (await catchUp(known, query, sha256))
      // Only the end of a history identifies it.
      if (found === undefined && !isTail) return read(span, except)
      const entry: Entry = found ?? { to: head, chain, rewrites, messages: new MessageCache() }
      if (isTail) entry.messages.reserve(head - span.from)
      const messages = await withMissing(entry.messages, query)
      entries.set(serial, entry)
      return messages
    },
    extend(serial, appended) {
      const known = entries.get(serial)
      if (known === undefined) return
      const messages = appended()
      if (!isNextOf(known, messages[0], sha256)) return
      for (const message of messages) {
        known.messages.add(message)
        known.to = message.seq + 1
        known.chain = message.hashes.chain
      }
      entries.set(serial, known)
    },
  }
}

/** The cached messages with newer ones; undefined where the history is, or may be, another one. */
async function catchUp(
  known: Entry,
  { span, except, head, chain, rewrites, read }: TailQuery,
  sha256: Sha256,
): Promise<Entry | undefined> {
  if (known.rewrites !== rewrites) return undefined
  if (known.to === head) return known.chain === chain ? known : undefined
  if (known.to > head || known.to < span.from || span.to < head) return undefined
  const before = { to: known.to, chain: known.chain }
  const since = await read({ from: before.to, to: head }, except)
  // Another request may have caught up meanwhile.
  if (known.to !== before.to || !isNextOf(before, since[0], sha256)) return undefined
  for (const message of since) known.messages.add(message)
  // The last ones may be excepted.
  known.to = head
  known.chain = chain
  return known
}

/** False also where the next message was not read, because nothing proves that it follows. */
function isNextOf(
  { to, chain }: Pick<Entry, 'to' | 'chain'>,
  next: Message | undefined,
  sha256: Sha256,
): boolean {
  if (next?.seq !== to) return false
  return next.hashes.chain === chainHash(chain, next.hashes.canonical, to, sha256)
}

/** The messages of a span; missing ones are read and cached. */
export async function withMissing(
  known: MessageCache,
  { span, except, read }: Pick<TailQuery, 'span' | 'except' | 'read'>,
): Promise<readonly Message[]> {
  const excluded = new Set(except)
  const found: Message[] = []
  let [from, to] = [span.to, span.from]
  for (let seq = span.from; seq < span.to; seq += 1) {
    if (excluded.has(seq)) continue
    const message = known.get(seq)
    if (message !== undefined) found.push(message)
    else [from, to] = [Math.min(from, seq), seq + 1]
  }
  if (from >= to) return found
  const missing = await read(
    { from, to },
    except.filter((seq) => seq >= from && seq < to),
  )
  for (const message of missing) known.add(message)
  return [
    ...found.filter(({ seq }) => seq < from),
    ...missing.map((message) => known.get(message.seq) ?? message),
    ...found.filter(({ seq }) => seq >= to),
  ]
}

/** Messages of one conversation, in two generations, so that unused ones are dropped first. */
export class MessageCache {
  /** Weak references: a single giant would evict all other messages. */
  readonly #giants = new Map<Seq, WeakRef<Message>>()
  #young = new Map<Seq, Message>()
  #old = new Map<Seq, Message>()
  #youngCharacters = 0
  #oldCharacters = 0
  #maxYoung: number = defaults.knownMessages

  get characters(): number {
    return this.#youngCharacters + this.#oldCharacters
  }

  get(seq: Seq): Message | undefined {
    const young = this.#young.get(seq)
    if (young !== undefined) return young
    const old = this.#old.get(seq)
    if (old !== undefined) this.#put(old)
    return old ?? this.#giants.get(seq)?.deref()
  }

  /** Freezes the message, because callers share it. */
  add(message: Message): void {
    const size = sizes.get(message) ?? freezeAndMeasure(message)
    sizes.set(message, size)
    if (size > giantCharacters) this.#giants.set(message.seq, new WeakRef(message))
    else if (!this.#young.has(message.seq)) this.#put(message)
  }

  /** Makes room for the number of messages that each request reads. */
  reserve(messages: number): void {
    this.#maxYoung = Math.max(defaults.knownMessages, messages * 2)
  }

  #put(message: Message): void {
    const isFull =
      this.#young.size >= this.#maxYoung || this.#youngCharacters > defaults.knownMessagesCharacters
    if (isFull) {
      this.#old = this.#young
      this.#oldCharacters = this.#youngCharacters
      this.#young = new Map()
      this.#youngCharacters = 0
    }
    this.#young.set(message.seq, message)
    this.#youngCharacters += sizes.get(message) ?? 0
  }
}

const giantCharacters = defaults.knownMessagesCharacters / 2
const sizes = new WeakMap<Message, number>()

/** Freezes a JSON value of any depth, and returns its characters. */
export function freezeAndMeasure(root: object): number {
  let characters = 0
  const open: object[] = [root]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    Object.freeze(value)
    for (const inner of Object.values(value)) {
      if (typeof inner === 'string') characters += inner.length
      else if (typeof inner === 'object' && inner !== null) open.push(inner)
    }
  }
  return characters
}

/** A map of the most recently used entries; the oldest is dropped. */
export class RecentMap<Key, Value> {
  readonly #entries = new Map<Key, { readonly value: Value; readonly size: number }>()
  readonly #maxSize: number
  readonly #sizeOf: (value: Value) => number
  #size = 0

  /** The limit counts entries, unless `sizeOf` is given. */
  constructor(maxSize: number = defaultEntries, sizeOf: (value: Value) => number = () => 1) {
    this.#maxSize = maxSize
    this.#sizeOf = sizeOf
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key)?.value
  }

  /** Makes it the newest. An entry that is too large alone is not kept. */
  set(key: Key, value: Value): void {
    this.delete(key)
    const size = this.#sizeOf(value)
    if (size > this.#maxSize) return
    this.#entries.set(key, { value, size })
    this.#size += size
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#maxSize) break
      this.delete(oldest)
    }
  }

  delete(key: Key): void {
    this.#size -= this.#entries.get(key)?.size ?? 0
    this.#entries.delete(key)
  }
}

const defaultEntries = 1_024
