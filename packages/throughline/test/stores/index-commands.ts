/** Random commands on the search index: valid and invalid commands, and searches. */

import fc from 'fast-check'
import type { ConversationId, TenantId } from 'throughline'
import { loadConversation } from '../../src/derived/state.ts'
import type { IndexedPiece } from '../../src/domain/search-index.ts'
import type { StoreCommand } from './derived-commands.ts'

// Terms that a careless store confuses: by case, lone surrogate, prefix or kind.
const anyTerm = fc.constantFrom('abc', 'ab', 'Abc', '\ud83d', '\ufffd', 'abcd', '"')
const anyNames = fc.array(fc.constantFrom('ABCD/ef', 'xabc', '東京都', '\ud83d\ud83dx'), {
  maxLength: 2,
})
const anyPieces = fc.array(
  fc.record({
    terms: fc.array(anyTerm, { maxLength: 4 }),
    names: anyNames,
    length: fc.nat(5),
    isSameMessage: fc.boolean(),
    chance: fc.nat(20),
  }),
  { maxLength: 6 },
)
type RandomPieces = typeof anyPieces extends fc.Arbitrary<infer Value> ? Value : never

export function indexCommands(ids: readonly string[]): fc.Arbitrary<StoreCommand> {
  const anyId = fc.constantFrom(...(ids as ConversationId[]))
  const any = fc.tuple(anyId, anyPieces, fc.integer({ min: 1, max: 6 }), fc.nat(9))
  return any.map(
    ([id, pieces, length, chance]): StoreCommand =>
      async (store) => {
        const tenant = store.tenant('default' as TenantId)
        const query = {
          terms: ['abc', 'ab', '\ud83d', '\ufffd', '"'],
          partsOfNames: ['bcd', 'ABC', 'abcd/E', '東京都', '\ufffd\ufffdX', 'ab'],
          before: chance === 0 ? length : 99,
          most: chance,
        }
        const { indexedTo = 0 } = (await tenant.search({ id, ...query })) ?? {}
        const { head = 0 } = (await loadConversation(tenant, id)) ?? {}
        // One in ten may be for missing messages.
        const to = Math.min(indexedTo + length, chance === 1 ? 99 : head)
        const [last] = (await tenant.read({ id, before: to, limit: 1 })) ?? []
        const chain = last?.hashes.chain ?? ''
        const from = chance === 2 ? indexedTo - 1 : indexedTo
        const placed = placedIn(pieces, { from, to })
        return [
          await tenant.index({ id, from, to, chain, pieces: placed }),
          ...(await Promise.all(
            ids.map((each) => tenant.search({ id: each as ConversationId, ...query })),
          )),
        ]
      },
  )
}

/** Consecutive messages, or another piece of the same message; rarely out of order. */
function placedIn(
  pieces: RandomPieces,
  { from, to }: { readonly from: number; readonly to: number },
): readonly IndexedPiece[] {
  let [seq, part] = [from - 1, 0]
  return pieces.flatMap(({ isSameMessage, chance, ...piece }) => {
    if (isSameMessage && seq >= from) part += 1
    else [seq, part] = [seq + 1, 0]
    if (seq >= to) return []
    return [{ ...piece, seq: chance === 0 ? seq - 1 : seq, part }]
  })
}
