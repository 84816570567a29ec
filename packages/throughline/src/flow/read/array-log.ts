/** The log of `fit`: an array of the caller's messages, each sealed when it is first read. */
import type { Witness } from '../../domain/fit-state.ts'
import { spellingHash } from '../../domain/hash.ts'
import { conversationId, type Seq } from '../../domain/ids.ts'
import type { Message, MessageInput } from '../../domain/message.ts'
import { type SealSettings, sealMessage, unstoredMessage } from '../append/seal-message.ts'
import { invalidOption } from '../check/check-options.ts'
import { getOrMake } from '../text/bounded-cache.ts'
import type { LogReader } from './readers.ts'

export interface ArrayLog extends LogReader {
  /** Identifies a message, so that a later call recognises the array. */
  witness(seq: Seq): Witness
  knows(witness: Witness): boolean
}

const unstoredId = conversationId('fit')

export function arrayLog(
  messages: readonly MessageInput[],
  pins: readonly Seq[],
  settings: Omit<SealSettings, 'now'>,
): ArrayLog {
  if (!Array.isArray(messages)) throw invalidOption('fit: messages must be an array of messages')
  const head = messages.length
  const files = new Map<string, Uint8Array>()
  const sealed = new Map<Seq, Message>()
  const messageAt = (seq: Seq) =>
    getOrMake(sealed, seq, () => {
      const sealing = sealMessage(
        messages[seq],
        `messages[${seq}]`,
        { ...settings, now: 0 },
        messages[seq - 1],
      )
      for (const file of sealing.sealed.files) files.set(file.sha256, file.bytes)
      return unstoredMessage(sealing, unstoredId, seq)
    })
  const seqsBetween = (from: Seq, to: Seq) =>
    Array.from({ length: Math.max(0, Math.min(to, head) - from) }, (_, index) => from + index)
  const witness = (seq: Seq): Witness => ({
    seq,
    hash: spellingHash(messageAt(seq), settings.sha256),
  })
  return {
    head,
    // `fit` recognises a changed array by its messages, not by a rewrite counter.
    rewrites: 0,
    pins: checkPins(pins, head),
    read: async ({ from, to }, except) => {
      const excluded = new Set(except)
      return seqsBetween(from, to)
        .filter((seq) => !excluded.has(seq))
        .map(messageAt)
    },
    readBack: async (before, limit) =>
      seqsBetween(Math.max(0, Math.min(before, head) - limit), before).map(messageAt),
    file: async (sha256) => files.get(sha256) ?? null,
    witness,
    knows: ({ seq, hash }) => seq < head && witness(seq).hash === hash,
  }
}

function checkPins(pins: readonly Seq[], head: Seq): readonly Seq[] {
  const isIndex = (seq: Seq) => Number.isSafeInteger(seq) && seq >= 0 && seq < head
  if (!Array.isArray(pins) || !pins.every(isIndex))
    throw invalidOption('fit: pins must be indexes of messages')
  return [...new Set(pins)].sort((left, right) => left - right)
}
