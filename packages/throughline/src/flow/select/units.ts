/**
 * Units: what leaves a context together. The opening of a turn, and each of its steps;
 * a call is never parted from its results (invariant 3).
 */
import type { Message } from '../../domain/message.ts'
import { deriveTurns } from '../../domain/turn.ts'

export interface Unit {
  /** Indexes in the list of messages, not places in the log. */
  readonly from: number
  readonly to: number
  /** What a user said, with which a turn begins. */
  readonly opening: boolean
  /** Of the newest turn. */
  readonly running: boolean
  /** Which turn, from 0. */
  readonly turn: number
}

/** In order, without a gap. The messages follow one another. */
export function unitsOf(
  messages: readonly Pick<Message, 'seq' | 'role' | 'parts'>[],
): readonly Unit[] {
  const first = messages[0]?.seq ?? 0
  const turns = deriveTurns(messages)
  return turns.flatMap((turn, at) => {
    const running = at === turns.length - 1
    const steps = turn.steps.map(({ span }) => ({
      from: span.from - first,
      to: span.to - first,
      opening: false,
      running,
      turn: at,
    }))
    const from = turn.span.from - first
    const to = steps[0]?.from ?? turn.span.to - first
    return from === to ? steps : [{ from, to, opening: true, running, turn: at }, ...steps]
  })
}
