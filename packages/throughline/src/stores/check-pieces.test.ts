import { expect, it } from 'vitest'
import type { ConversationId } from '../domain/ids.ts'
import { maxParts, maxSearchable } from '../domain/search-index.ts'
import { checkPieces } from './check-pieces.ts'

const piece = (seq: number, part = 0, length = 1) => ({ seq, part, length, terms: [], names: [] })
const check = (from: number, to: number, ...pieces: readonly ReturnType<typeof piece>[]) =>
  checkPieces({ id: 'c' as ConversationId, from, to, chain: '', pieces })
const broken = expect.objectContaining({ code: 'INVARIANT_BROKEN' })

it('accepts pieces of a span in ascending order, also empty ones', () => {
  check(3, 3)
  check(3, 5, piece(3), piece(3, 1, 0), piece(3, maxParts - 1), piece(4))
  check(0, 1, piece(0))
})

it.each([
  ['before the span', [piece(2)]],
  ['after the span', [piece(5)]],
  ['twice', [piece(3), piece(3)]],
  ['in descending order', [piece(4), piece(3)]],
  ['with parts in descending order', [piece(3, 1), piece(3, 0)]],
  ['with a part below 0', [piece(3, -1)]],
  ['with a part too many', [piece(3, maxParts)]],
  ['with a length below 0', [piece(3, 0, -1)]],
  ['with half a length', [piece(3, 0, 0.5)]],
  ['with half a part', [piece(3, 0.5)]],
  ['with half a place', [piece(3.5)]],
])('refuses a piece %s', (_, pieces) => {
  expect(() => check(3, 5, ...pieces)).toThrow(broken)
})

it('accepts messages up to the last that can be searched', () => {
  check(maxSearchable - 1, maxSearchable, piece(maxSearchable - 1))
  expect(() => check(maxSearchable, maxSearchable + 1)).toThrow(
    expect.objectContaining({ code: 'STORE_FAILED' }),
  )
})
