/**
 * Facts as a row keeps them: under the place of their message, the rest as JSON, which
 * also holds text that a column would not. Every store asks here, so that stores cannot differ.
 */
import type { FactTrust, MessageFacts } from '../domain/fact.ts'
import type { Seq } from '../domain/ids.ts'
import { assertInvariant, INVARIANT } from '../invariants.ts'

export type FactsBody = Omit<MessageFacts, 'seq'>

/**
 * Facts as rows keep them: the place and the trust to look them up by, the rest as JSON.
 *
 * @example
 * for (const { seq, trust, body } of factsBodies(facts, log.head)) console.log('write', seq, trust, body)
 */
export function factsBodies(
  rows: readonly MessageFacts[],
  head: Seq,
): readonly { readonly seq: Seq; readonly trust: FactTrust; readonly body: string }[] {
  return rows.map(({ seq, ...body }) => {
    // Written ahead, it would be taken for that of a message that comes later.
    assertInvariant(
      Number.isInteger(seq) && seq >= 0 && seq < head,
      INVARIANT.dense,
      `facts of message ${seq}, where there are ${head}`,
    )
    return { seq, trust: body.trust, body: JSON.stringify(body satisfies FactsBody) }
  })
}
