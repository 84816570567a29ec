/**
 * The newest messages of the conversations that this process is busy with, as they were
 * read for the last request: the next one reads only what came since.
 *
 * A chain hash names a whole history, so what is remembered is known to be what the
 * store holds, whoever has written meanwhile. What is remembered is frozen: it is
 * handed out again and again.
 */
import { defaults } from '../defaults.ts'
import type { Sha256 } from '../domain/hash.ts'
import type { Seq } from '../domain/ids.ts'
import type { Message } from '../domain/message.ts'
import { chainHash } from '../domain/placement.ts'
import type { Span } from '../domain/span.ts'

export interface TailCache {
  /** The messages of a span that ends at the head, read where they are not known. */
  read(key: string, tail: Tail): Promise<readonly Message[]>
}

interface Tail {
  readonly span: Span
  readonly except: readonly Seq[]
  /** The chain hash of the last message of the span. */
  readonly chain: string
  read(span: Span, except: readonly Seq[]): Promise<readonly Message[]>
}

interface Entry {
  /** The place behind the last message that was read. */
  readonly to: Seq
  readonly chain: string
  readonly messages: ReadonlyMap<Seq, Message>
  readonly characters: number
}

export function createTailCache(sha256: Sha256): TailCache {
  const entries = new Map<string, Entry>()
  let characters = 0
  const forget = (key: string) => {
    characters -= entries.get(key)?.characters ?? 0
    entries.delete(key)
  }
  return {
    async read(key, tail) {
      const known = entries.get(key)
      const messages =
        (known && (await extended(known, tail, sha256))) ??
        (await tail.read(tail.span, tail.except)).map(frozen)
      forget(key)
      const entry = entryOf(messages, tail)
      if (entry.characters > defaults.tailCacheCharacters.value) return messages
      entries.set(key, entry)
      characters += entry.characters
      for (const oldest of entries.keys()) {
        if (characters <= defaults.tailCacheCharacters.value) break
        forget(oldest)
      }
      return messages
    },
  }
}

/** What is known and what came since; null where something is missing or another history. */
async function extended(
  known: Entry,
  { span, except, chain, read }: Tail,
  sha256: Sha256,
): Promise<readonly Message[] | null> {
  if (known.to > span.to || known.to < span.from) return null
  const out = new Set(except)
  const messages: Message[] = []
  for (let seq = span.from; seq < known.to; seq += 1) {
    if (out.has(seq)) continue
    const message = known.messages.get(seq)
    if (message === undefined) return null
    messages.push(message)
  }
  if (known.to === span.to) return known.chain === chain ? messages : null
  const since = await read({ from: known.to, to: span.to }, except)
  const [first] = since
  // The next message is not read when it is excepted, and then nothing ties the two together.
  if (first?.seq !== known.to) return null
  if (first.hashes.chain !== chainHash(known.chain, first.hashes.canonical, sha256)) return null
  return [...messages, ...since.map(frozen)]
}

function entryOf(messages: readonly Message[], { span, chain }: Tail): Entry {
  let characters = 0
  for (const message of messages) characters += sizeOf(message)
  return {
    to: span.to,
    chain,
    messages: new Map(messages.map((message) => [message.seq, message])),
    characters,
  }
}

const sizes = new WeakMap<Message, number>()

/** About how many characters a message holds. */
function sizeOf(message: Message): number {
  return sizes.get(message) ?? 0
}

function frozen(message: Message): Message {
  if (!sizes.has(message)) sizes.set(message, freeze(message))
  return message
}

/** Freezes a value of JSON's kinds, however deep, and gives its characters. */
function freeze(root: object): number {
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
