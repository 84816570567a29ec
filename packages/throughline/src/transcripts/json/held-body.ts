/**
 * The conversation of one request body. Its system prompt is no message and belongs to the
 * conversation, which goes out first; but many clients write it behind the messages. So
 * messages are held back until it has come, within bounds.
 */

import type { TranscriptItem, TranscriptMessage, TranscriptProblem } from '../transcript.ts'
import { metaOf } from './json-access.ts'

/** Characters that are held back; no window takes a body as large. */
const maximumHeld = 16_777_216

export class HeldBody {
  readonly id: string
  model: string | null = null
  readonly #held: (TranscriptMessage | TranscriptProblem)[] = []
  #heldLength = 0
  #system: string | null = null
  #begun = false

  constructor(id: string) {
    this.id = id
  }

  /** An item that goes out now, and with it all that waits. */
  deliver(item: TranscriptMessage | TranscriptProblem): readonly TranscriptItem[] {
    this.#held.push(item)
    return this.release()
  }

  /** An item that waits for the system prompt. `length` is that of its text. */
  hold(item: TranscriptMessage | TranscriptProblem, length: number): readonly TranscriptItem[] {
    this.#held.push(item)
    this.#heldLength += length
    const isSettled = this.#begun || this.#system !== null || this.#heldLength > maximumHeld
    return isSettled ? this.release() : []
  }

  system(text: string, line: number): readonly TranscriptItem[] {
    if (text === '') return []
    if (this.#begun) {
      const reason = 'the system prompt stands too far behind the messages'
      return [{ kind: 'problem', line, reason }]
    }
    this.#system = text
    return this.release()
  }

  /** What is held back, behind the conversation that it belongs to. */
  release(): readonly TranscriptItem[] {
    const items = this.#held.splice(0)
    this.#heldLength = 0
    if (this.#begun || !items.some(({ kind }) => kind === 'message')) return items
    this.#begun = true
    const meta = metaOf({ model: this.model, system: this.#system }) ?? null
    return [{ kind: 'conversation', id: this.id, title: null, parent: null, meta }, ...items]
  }
}
