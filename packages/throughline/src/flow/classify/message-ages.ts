/**
 * How old messages are, in steps and in turns. A step counts where it has calls: an
 * assistant that only talks makes no result stale.
 */
import type { Message } from '../../domain/message.ts'
import { deriveTurns } from '../../domain/turn.ts'

export interface MessageAge {
  /** The step that it belongs to or stands behind; the first is 1, and 0 is before it. */
  readonly step: number
  readonly stepsAgo: number
  readonly turnsAgo: number
}

/** One for each message. They follow one another without a gap. */
export function agesOf(
  messages: readonly Pick<Message, 'seq' | 'role' | 'parts'>[],
): readonly MessageAge[] {
  const first = messages[0]?.seq ?? 0
  const turns = deriveTurns(messages)
  const begun = messages.map(() => 0)
  for (const { steps } of turns)
    for (const { span, calls } of steps) if (calls.length > 0) begun[span.from - first] = 1
  const stepsInAll = begun.reduce((sum, begins) => sum + begins, 0)
  let step = 0
  return turns.flatMap(({ span }, turn) =>
    Array.from({ length: span.to - span.from }, (_, index) => {
      step += begun[span.from - first + index] ?? 0
      return { step, stepsAgo: stepsInAll - step, turnsAgo: turns.length - 1 - turn }
    }),
  )
}
