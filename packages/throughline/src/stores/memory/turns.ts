/**
 * What an agent remembers of its turns, of one conversation in memory, as the JSON text that a
 * database would keep. A fork has the first so many of its source, and goes on from there.
 */
import { ForgetTurns, type KeptKeys } from '../../domain/forget-turns.ts'
import type { Seq } from '../../domain/ids.ts'
import type { Span } from '../../domain/span.ts'
import type { StepRecord, TurnRecord } from '../../domain/turn-record.ts'
import { assertInvariant, INVARIANT } from '../../invariants.ts'
import type { Remembered, StepsQuery, TurnsQuery } from '../../ports/turn-commands.ts'

interface KeptTurn {
  readonly messages: Span
  readonly body: string
  /** In order. */
  readonly steps: readonly { readonly step: number; readonly body: string }[]
}

export class MemoryTurns {
  readonly #source: () => { readonly turns: MemoryTurns } | null
  /** So many are those of its source, whatever that remembers later. */
  #shared = 0
  /** The first is the one behind those. */
  #own: KeptTurn[] = []

  constructor(source: () => { readonly turns: MemoryTurns } | null) {
    this.#source = source
  }

  get newest(): number {
    return this.#shared + this.#own.length
  }

  /** Of a turn that was checked. */
  add({ record, steps }: Remembered): void {
    const { messages } = record
    const kept = steps.map((step) => ({ step: step.step, body: JSON.stringify(step) }))
    this.#own.push({ messages, body: JSON.stringify(record), steps: kept })
  }

  read({ before, limit }: Pick<TurnsQuery, 'before' | 'limit'>): readonly TurnRecord[] {
    const found: TurnRecord[] = []
    const last = before === null ? this.newest : Math.min(this.newest, before - 1)
    for (let turn = last; turn > 0 && found.length < limit; turn -= 1)
      found.push(JSON.parse(this.#kept(turn).body) as TurnRecord)
    return found
  }

  steps({ turn, step, limit }: Omit<StepsQuery, 'id'>): readonly StepRecord[] {
    const found: StepRecord[] = []
    const [first, last] = turn === null ? [1, this.newest] : [turn, Math.min(turn, this.newest)]
    for (let at = last; at >= Math.max(1, first); at -= 1)
      for (const each of this.#kept(at).steps.toReversed()) {
        if (found.length >= limit) return found
        if (step === null || each.step === step) found.push(JSON.parse(each.body) as StepRecord)
      }
    return found
  }

  /**
   * Has the turns of another one whose messages lie before a place. Those that its source has too
   * are read there; the others become its own.
   */
  take(other: MemoryTurns, source: MemoryTurns, place: Seq): void {
    const to = other.#endBefore(place)
    this.#shared = Math.min(to, other.#sharedWith(source))
    this.#own = other.#between(this.#shared, to)
  }

  /** Reads in a source, from now on, what lies before a place; what it read behind it is its own. */
  ownFrom(place: Seq, source: MemoryTurns): void {
    const shared = Math.min(this.#endBefore(place), this.#sharedWith(source))
    this.#own = [...this.#between(shared, this.#shared), ...this.#own]
    this.#shared = shared
  }

  forget(places: readonly Seq[], keys: KeptKeys): void {
    // Most rewrites are of what no turn is remembered of.
    if (this.#endBefore(places[0] ?? 0) === this.newest) return
    const forget = new ForgetTurns(places, keys)
    for (let turn = 1; turn <= this.newest; turn += 1) {
      const kept = this.#kept(turn)
      const left = forget.take(JSON.parse(kept.body) as TurnRecord)
      // Those of its source are forgotten there.
      if (left === null || turn <= this.#shared) continue
      const steps = left.forgotten ? [] : kept.steps
      this.#own[turn - this.#shared - 1] = { ...kept, body: JSON.stringify(left), steps }
    }
  }

  /** The last turn up to which all messages lie before a place. */
  #endBefore(place: Seq): number {
    for (let turn = 1; turn <= this.newest; turn += 1)
      if (this.#kept(turn).messages.to > place) return turn - 1
    return this.newest
  }

  /** Up to this turn it reads what another one has, which it goes on from. */
  #sharedWith(other: MemoryTurns): number {
    let turns: MemoryTurns | undefined = this
    let shared = this.newest
    while (turns !== other && turns !== undefined) {
      shared = Math.min(shared, turns.#shared)
      turns = turns.#source()?.turns
    }
    return shared
  }

  #between(after: number, to: number): KeptTurn[] {
    return Array.from({ length: Math.max(0, to - after) }, (_, index) =>
      this.#kept(after + 1 + index),
    )
  }

  #kept(turn: number): KeptTurn {
    let turns: MemoryTurns = this
    for (
      let source = turns.#source();
      source !== null && turn <= turns.#shared;
      source = turns.#source()
    )
      turns = source.turns
    const kept = turns.#own[turn - turns.#shared - 1]
    assertInvariant(kept !== undefined, INVARIANT.dense, `turn ${turn} is missing`)
    return kept
  }
}
