import type { Message } from '../../domain/message.ts'
import { deriveTurns } from '../../domain/turn.ts'

/** Messages that are shown or left out together: a turn's opening, or a step (invariant 3). */
export interface Unit {
  /** Indexes in the list of messages, not positions in the log. */
  readonly from: number
  readonly to: number
  /** The user message that starts a turn. */
  readonly opensTurn: boolean
  readonly inCurrentTurn: boolean
  readonly turn: number
}

/** Units in order, without a gap; the messages must be consecutive. */
export function unitsOf(messages: readonly Pick<Message, 'seq' | 'role' | 'parts'>[]) {
  const first = messages[0]?.seq ?? 0
  const turns = deriveTurns(messages)
  return turns.flatMap((turn, at) => {
    const inCurrentTurn = at === turns.length - 1
    const steps = turn.steps.map(({ span }) => ({
      from: span.from - first,
      to: span.to - first,
      opensTurn: false,
      inCurrentTurn,
      turn: at,
    }))
    const from = turn.span.from - first
    const to = steps[0]?.from ?? turn.span.to - first
    return from === to ? steps : [{ from, to, opensTurn: true, inCurrentTurn, turn: at }, ...steps]
  })
}

export function indexesOf(unit: Pick<Unit, 'from' | 'to'> | undefined): readonly number[] {
  if (unit === undefined) return []
  return Array.from({ length: unit.to - unit.from }, (_, index) => unit.from + index)
}
