/** Calls of tools that have no result yet, and which results have come since, for forks. */
import type { Seq } from '../../domain/ids.ts'
import type { WaitingCall } from '../../domain/replay.ts'

interface AnsweredCall {
  readonly callId: string
  readonly seq: Seq
  readonly answeredBy: Seq
}

export class MemoryWaitingCalls {
  /** Places of calls without a result, by id, oldest first. */
  readonly #waiting = new Map<string, Seq[]>()
  #answered: AnsweredCall[] = []

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

  /** The calls that were waiting before a place, oldest first. */
  before(at: Seq): readonly WaitingCall[] {
    const waiting = [...this.#waiting].flatMap(([callId, places]) =>
      places.map((seq) => ({ callId, seq })),
    )
    // These were answered since.
    const answered = this.#answered.filter(({ answeredBy }) => answeredBy >= at)
    return [...waiting, ...answered.map(({ callId, seq }) => ({ callId, seq }))]
      .filter(({ seq }) => seq < at)
      .sort((left, right) => left.seq - right.seq)
  }

  /** As a log has them that is another one from some place on. */
  setWaiting(waiting: readonly WaitingCall[]): void {
    this.#waiting.clear()
    for (const { callId, seq } of waiting) this.add(callId, seq)
  }

  setAnswered(answered: readonly AnsweredCall[]): void {
    this.#answered = [...answered]
  }
}
