/**
 * The composition of a context by characters: message text (with a position in the log, whole or as
 * stubs), and derived text by slot.
 */
import type { Context } from 'throughline'
import { contentText } from '../../packages/throughline/src/cli/simulation/survival-along.ts'

/** Slots whose derived text is narrative, or lines of files word for word. */
const narrativeSlots: ReadonlySet<string> = new Set(['summary', 'files'])

const ofMessages = 'messages'

export interface Shares {
  /** Message text and narrative. */
  readonly verbatimOrNarrative: number
  /** Derived text per slot. */
  readonly derived: ReadonlyMap<string, number>
}

/** All 0 for an empty context. */
export function sharesOf({ messages }: Pick<Context, 'messages'>): Shares {
  const lengths = new Map<string, number>([[ofMessages, 0]])
  for (const { seq, slot, parts } of messages) {
    const owner = seq === null ? slot : ofMessages
    lengths.set(owner, (lengths.get(owner) ?? 0) + contentText(parts).length)
  }
  const whole = Math.max(
    1,
    [...lengths.values()].reduce((sum, length) => sum + length, 0),
  )
  const shares = [...lengths].map(([owner, length]) => [owner, length / whole] as const)
  return {
    verbatimOrNarrative: shares
      .filter(([owner]) => owner === ofMessages || narrativeSlots.has(owner))
      .reduce((sum, [, share]) => sum + share, 0),
    derived: new Map(shares.filter(([owner]) => owner !== ofMessages)),
  }
}
