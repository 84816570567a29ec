/**
 * Messages of one conversation that were read or appended before, up to a bound: in two
 * generations, so that what is asked for stays and what is not asked for goes.
 */
import { defaults } from '../defaults.ts'
import type { Seq } from '../domain/ids.ts'
import type { Message } from '../domain/message.ts'
import { freezeAndMeasure } from './freeze.ts'

export class KnownMessages {
  /** Kept as long as somebody else does: one of them would drive out all others. */
  readonly #giants = new Map<Seq, WeakRef<Message>>()
  #young = new Map<Seq, Message>()
  #old = new Map<Seq, Message>()
  #youngCharacters = 0
  #oldCharacters = 0
  #youngMost: number = defaults.knownMessages.value

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

  /** What is remembered is frozen: it is handed out again and again. */
  add(message: Message): void {
    const size = sizes.get(message) ?? freezeAndMeasure(message)
    sizes.set(message, size)
    if (size > giantCharacters) this.#giants.set(message.seq, new WeakRef(message))
    else if (!this.#young.has(message.seq)) this.#put(message)
  }

  /** So many are asked for at once, with each request. */
  hold(messages: number): void {
    this.#youngMost = Math.max(defaults.knownMessages.value, messages * 2)
  }

  #put(message: Message): void {
    const isFull =
      this.#young.size >= this.#youngMost ||
      this.#youngCharacters > defaults.knownMessagesCharacters.value
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

const giantCharacters = defaults.knownMessagesCharacters.value / 2

/** About how many characters each message holds. */
const sizes = new WeakMap<Message, number>()
