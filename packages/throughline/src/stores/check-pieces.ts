import { maxParts, maxSearchable, pieceKey } from '../domain/search-index.ts'
import { ThroughlineError } from '../errors.ts'
import { assertInvariant, INVARIANT } from '../invariants.ts'
import type { IndexCommand } from '../ports/store.ts'

/**
 * Throws for an invalid index command, before a store writes any of it.
 *
 * @example
 * checkPieces({ id: conversation, from: 12, to: 13, chain: chainStart, pieces: [] })
 */
export function checkPieces({ id, from, to, pieces }: IndexCommand): void {
  if (to > maxSearchable)
    throw new ThroughlineError(
      'STORE_FAILED',
      `conversation "${id}": only the first ${maxSearchable} messages can be indexed for search`,
    )
  let lastKey = Number.NEGATIVE_INFINITY
  for (const { seq, part, length } of pieces) {
    const key = pieceKey(seq, part)
    const isValid =
      [seq, part, length].every(Number.isInteger) && part >= 0 && part < maxParts && length >= 0
    assertInvariant(
      isValid && seq >= from && seq < to && key > lastKey,
      INVARIANT.dense,
      `piece ${part} of message ${seq} is not valid for the span [${from}, ${to})`,
    )
    lastKey = key
  }
}
