/** What a remembered turn must be in every store; another one is a bug of its caller and leaves no trace. */
import type { Seq } from '../domain/ids.ts'
import { assertInvariant, INVARIANT } from '../invariants.ts'
import type { Remembered } from '../ports/turn-commands.ts'

export function checkTurn(
  { record, steps }: Remembered,
  { newest, head }: { readonly newest: number; readonly head: Seq },
): void {
  const { turn, messages } = record
  assertInvariant(
    turn === newest + 1,
    INVARIANT.dense,
    `turn ${turn} is remembered, where the newest is ${newest}`,
  )
  const { from, to } = messages
  assertInvariant(
    [from, to].every(Number.isInteger) && from >= 0 && from <= to && to <= head,
    INVARIANT.dense,
    `turn ${turn} holds the messages from ${from} to ${to}, where there are ${head}`,
  )
  for (const [index, each] of steps.entries())
    assertInvariant(
      each.turn === turn && each.step === index,
      INVARIANT.dense,
      `step ${each.step} of turn ${each.turn} comes as step ${index} of turn ${turn}`,
    )
}
