/**
 * A checked message on its way into the log: everything but its place. The store
 * gives the place, and with it the chain hash, inside its transaction.
 */
import type { Part } from './message.ts'

export interface SealedMessage {
  /** The message in our own form, as JSON text (`message-body.ts`). */
  readonly body: string
  /** The message as it stood on the wire, where the caller had it. */
  readonly raw: Uint8Array | null
  readonly createdAt: number
  readonly key: MessageKey | null
  /** Of `raw` where there is one, else of `body`. */
  readonly contentHash: string
  /** Of both: two messages are the same when their originals and their parts are. */
  readonly identityHash: string
  readonly canonicalHash: string
  /** Ids of the calls that the message makes and of those that it answers, in order. */
  readonly calls: readonly string[]
  readonly answers: readonly string[]
  readonly files: readonly FileContent[]
}

/** The client's name for an append, as it is kept. */
export interface MessageKey {
  readonly value: string
  /** What the key stands for: the message, or its whole batch. */
  readonly hash: string
}

// Clients' keys hold no control characters, so no key of theirs can be one of these.
const batchMark = '\u001f'

/** The key of a message whose batch has one key for all. */
export function batchKey(key: string, index: number): string {
  return index === 0 ? key : `${key}${batchMark}${index}`
}

/**
 * The key that the client gave, of one that was kept: a batch has one key for all its messages.
 *
 * @example
 * const keys = sealed.map(({ key }) => key && clientKey(key.value))
 */
export function clientKey(key: string): string {
  return key.split(batchMark, 1)[0] ?? key
}

export interface FileContent {
  readonly sha256: string
  readonly bytes: Uint8Array
}

/**
 * Ids of the calls that a message makes, each once, in order.
 *
 * @example
 * const rows = messages.map(({ seq, parts }) => ({ seq, calls: callsOf(parts), answers: answersOf(parts) }))
 */
export function callsOf(parts: readonly Part[]): readonly string[] {
  return unique(parts.flatMap((part) => (part.type === 'tool-call' ? [part.callId] : [])))
}

/** Ids of the calls that a message answers, each once, in order. See `callsOf`. */
export function answersOf(parts: readonly Part[]): readonly string[] {
  return unique(parts.flatMap((part) => (part.type === 'tool-result' ? [part.callId] : [])))
}

function unique(ids: readonly string[]): readonly string[] {
  return [...new Set(ids)]
}
