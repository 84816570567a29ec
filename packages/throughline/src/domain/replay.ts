/**
 * What the messages from a place on have besides their words: chains, the calls that they answer,
 * marks. Made anew behind a message that has changed, it is what they would have if the log had
 * been appended so from the start. Every store runs it inside its transaction, a page at a time.
 */
import type { Sha256 } from './hash.ts'
import type { Seq } from './ids.ts'
import type { Mark } from './message.ts'
import { chainHash, type PlacedEntry } from './placement.ts'
import { removedMark } from './removed-message.ts'
import type { SealedMessage } from './sealed-message.ts'

/** A call without a result. */
export interface WaitingCall {
  readonly callId: string
  readonly seq: Seq
}

export type ReplayedMessage = Pick<SealedMessage, 'canonicalHash' | 'calls' | 'answers'> & {
  readonly removed: boolean
}

export type Replayed = Pick<PlacedEntry, 'chain' | 'marks' | 'answered'>

/**
 * Makes chains, answered calls and marks of messages anew, behind one that has changed: every store runs
 * it inside its transaction, a page at a time.
 *
 * @example
 * const replay = new Replay({ chain: chainStart, waiting: [] }, sha256)
 * for (const [seq, row] of sealed.entries()) {
 *   const { chain, marks, answered } = replay.take({ ...row, removed: false }, seq)
 *   console.log('update', seq, chain, marks, answered)
 * }
 */
export class Replay {
  readonly #sha256: Sha256
  /** Places of calls that wait, by id, oldest first. */
  readonly #waiting = new Map<string, Seq[]>()
  #chain: string

  /** As it is before the first of them: the chain, and the calls that wait, oldest first. */
  constructor(
    before: { readonly chain: string; readonly waiting: readonly WaitingCall[] },
    sha256: Sha256,
  ) {
    this.#sha256 = sha256
    this.#chain = before.chain
    for (const { callId, seq } of before.waiting) this.#wait(callId, seq)
  }

  /** The next one, in order. */
  take({ canonicalHash, calls, answers, removed }: ReplayedMessage, seq: Seq): Replayed {
    this.#chain = chainHash(this.#chain, canonicalHash, this.#sha256)
    for (const callId of calls) this.#wait(callId, seq)
    const answered: { callId: string; callSeq: Seq }[] = []
    const marks: Mark[] = removed ? [removedMark] : []
    for (const callId of answers) {
      const callSeq = this.#waiting.get(callId)?.pop()
      if (callSeq === undefined) marks.push({ kind: 'orphan-result', callId })
      else answered.push({ callId, callSeq })
    }
    return { chain: this.#chain, marks, answered }
  }

  get chain(): string {
    return this.#chain
  }

  /** The calls that wait behind all that was taken. */
  get waiting(): readonly WaitingCall[] {
    return [...this.#waiting].flatMap(([callId, places]) => places.map((seq) => ({ callId, seq })))
  }

  #wait(callId: string, seq: Seq): void {
    const places = this.#waiting.get(callId)
    if (places === undefined) this.#waiting.set(callId, [seq])
    else places.push(seq)
  }
}
