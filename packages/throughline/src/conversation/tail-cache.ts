/**
 * The newest messages of the conversations that this process is busy with, as they were
 * read for the last request and appended since: the next one reads only what others wrote.
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
  read(serial: number, tail: Tail): Promise<readonly Message[]>
  /** What was appended just now, which may stand behind what is known. */
  extend(serial: number, messages: () => readonly Message[]): void
}

interface Tail {
  readonly span: Span
  readonly except: readonly Seq[]
  /** The chain hash of the last message of the span. */
  readonly chain: string
  read(span: Span, except: readonly Seq[]): Promise<readonly Message[]>
}

interface Entry {
  /** The place behind the last message. */
  to: Seq
  chain: string
  readonly messages: Map<Seq, Message>
  characters: number
}

export function createTailCache(sha256: Sha256): TailCache {
  const entries = new Map<number, Entry>()
  let characters = 0
  const forget = (serial: number) => {
    characters -= entries.get(serial)?.characters ?? 0
    entries.delete(serial)
  }
  const keep = (serial: number, entry: Entry) => {
    forget(serial)
    if (entry.characters > defaults.tailCacheCharacters.value) return
    entries.set(serial, entry)
    characters += entry.characters
    for (const oldest of entries.keys()) {
      if (characters <= defaults.tailCacheCharacters.value) break
      forget(oldest)
    }
  }
  return {
    async read(serial, tail) {
      const known = entries.get(serial)
      const messages =
        (known && (await extended(known, tail, sha256))) ??
        (await tail.read(tail.span, tail.except)).map(frozen)
      const isKnown = known?.to === tail.span.to && known.messages.size === messages.length
      keep(serial, isKnown ? known : entryOf(messages, tail))
      return messages
    },
    extend(serial, appended) {
      const known = entries.get(serial)
      if (known === undefined) return
      const messages = appended()
      if (!followsOn(known, messages[0], sha256)) return
      forget(serial)
      for (const message of messages) add(known, frozen(message))
      keep(serial, known)
    },
  }
}

/** What is known and what came since; null where something is missing or another history. */
async function extended(
  known: Entry,
  { span, except, chain, read }: Tail,
  sha256: Sha256,
): Promise<readonly Message[] | null> {
  const { to } = known
  if (to > span.to || to < span.from) return null
  const out = new Set(except)
  const messages: Message[] = []
  for (let seq = span.from; seq < to; seq += 1) {
    if (out.has(seq)) continue
    const message = known.messages.get(seq)
    if (message === undefined) return null
    messages.push(message)
  }
  if (to === span.to) return known.chain === chain ? messages : null
  const last = { to, chain: known.chain }
  const since = await read({ from: to, to: span.to }, except)
  return followsOn(last, since[0], sha256) ? [...messages, ...since.map(frozen)] : null
}

/** A next message that is excepted is not read, and then nothing ties the two together. */
function followsOn(
  { to, chain }: Pick<Entry, 'to' | 'chain'>,
  next: Message | undefined,
  sha256: Sha256,
): boolean {
  return next?.seq === to && next.hashes.chain === chainHash(chain, next.hashes.canonical, sha256)
}

function entryOf(messages: readonly Message[], { span, chain }: Tail): Entry {
  const entry: Entry = { to: span.from, chain: '', messages: new Map(), characters: 0 }
  for (const message of messages) add(entry, message)
  // The last ones may be excepted.
  return { ...entry, to: span.to, chain }
}

function add(entry: Entry, message: Message): void {
  entry.messages.set(message.seq, message)
  entry.characters += sizes.get(message) ?? 0
  entry.to = message.seq + 1
  entry.chain = message.hashes.chain
}

/** About how many characters each message holds. */
const sizes = new WeakMap<Message, number>()

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
