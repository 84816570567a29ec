/** Calls of tools that have no result yet, and which results have come since, for forks. */
import type { Seq } from '../domain/ids.ts'

interface AnsweredCall {
  readonly callId: string
  readonly seq: Seq
  readonly answeredBy: Seq
}

export class MemoryWaitingCalls {
  /** Places of calls without a result, by id, oldest first. */
  readonly #waiting = new Map<string, Seq[]>()
  readonly #answered: AnsweredCall[] = []

  /** The newest one of that id before that place. */
  find(callId: string, before: Seq): Seq | null {
    return this.#waiting.get(callId)?.findLast((seq) => seq < before) ?? null
  }

  add(callId: string, seq: Seq): void {
    const places = this.#waiting.get(callId)
    if (places === undefined) this.#waiting.set(callId, [seq])
    else places.push(seq)
  }

  answer({ callId, seq, answeredBy }: AnsweredCall): void {
    const places = this.#waiting.get(callId) ?? []
    places.splice(places.lastIndexOf(seq), 1)
    if (places.length === 0) this.#waiting.delete(callId)
    this.#answered.push({ callId, seq, answeredBy })
  }

  /** A fork takes along the calls that were waiting where it leaves its source. */
  copyTo(fork: MemoryWaitingCalls, at: Seq): void {
    for (const [callId, places] of this.#waiting)
      for (const seq of places) if (seq < at) fork.add(callId, seq)
    // The source has answered these since; the fork has not.
    for (const { callId, seq, answeredBy } of this.#answered)
      if (seq < at && answeredBy >= at) fork.add(callId, seq)
  }
}
