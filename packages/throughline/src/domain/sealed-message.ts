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
  readonly canonicalHash: string
  /** Ids of the calls that the message makes and of those that it answers, in order. */
  readonly calls: readonly string[]
  readonly answers: readonly string[]
  readonly files: readonly FileContent[]
}

interface MessageKey {
  readonly value: string
  /** What the key stands for: the content of the message, or of its whole batch. */
  readonly fingerprint: string
}

export interface FileContent {
  readonly sha256: string
  readonly bytes: Uint8Array
}

export function callsOf(parts: readonly Part[]): readonly string[] {
  return unique(parts.flatMap((part) => (part.type === 'tool-call' ? [part.callId] : [])))
}

export function answersOf(parts: readonly Part[]): readonly string[] {
  return unique(parts.flatMap((part) => (part.type === 'tool-result' ? [part.callId] : [])))
}

function unique(ids: readonly string[]): readonly string[] {
  return [...new Set(ids)]
}
