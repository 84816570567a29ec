import { defaults } from '../defaults-data.ts'
import { loadFacts, loadLedger } from '../derived/rows.ts'
import { loadConversation } from '../derived/state.ts'
import type { Ledger } from '../domain/ledger.ts'
import type { Span } from '../domain/span.ts'
import { factsExtractor } from '../flow/history/extract-facts.ts'
import { noDerivedRows } from '../flow/read/readers.ts'
import type { StoredConversation } from '../ports/store.ts'
import { nextTurn } from '../system.ts'

/**
 * The ledger up to the end of the log, the last named entries first: stored facts, and those of messages without
 * stored facts.
 */
export async function currentLedger({ store, id }: StoredConversation): Promise<Ledger | null> {
  const conversation = await loadConversation(store, id)
  if (conversation === null) return null
  const read = async (span: Span) => {
    // Many messages may be analysed, page by page, and nothing else would run meanwhile.
    await nextTurn()
    return (await store.read({ id, span })) ?? []
  }
  const stored = {
    ...noDerivedRows,
    ledger: () => loadLedger(store, { id }),
    rowsIn: async (span: Span) => (await loadFacts(store, { id, span })) ?? [],
    maxCharacters: defaults.requestCharacters,
  }
  const { ledger } = await factsExtractor({ read }, stored)(conversation.head)
  return {
    ...ledger,
    entries: ledger.entries.toSorted((one, other) => other.lastSeq - one.lastSeq),
  }
}
