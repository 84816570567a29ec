/**
 * What stands for turns whose messages have changed since they were remembered: that they have, and
 * where their messages stand, so that whoever needs them can open them as they are now.
 */
import { anchorOf } from './anchor.ts'
import type { Span } from './span.ts'

export function changedTurn(turn: number, messages: Span): string {
  return `Turn ${turn} was changed (${anchorOf(messages)}).`
}

/** `within` is where the messages of the changed ones lie, perhaps with those of others. */
export function changedTurns(
  { from, to }: { readonly from: number; readonly to: number },
  changed: number,
  within: Span,
): string {
  return changed === to - from
    ? `Turns ${from} to ${to - 1} were changed (${anchorOf(within)}).`
    : `${changed} of these turns were changed (within ${anchorOf(within)}).`
}
