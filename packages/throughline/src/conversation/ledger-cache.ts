/**
 * Caches the ledgers of recently used conversations. A ledger is large and changes little, so it is
 * neither read nor written each time. The stored one may lag some messages; the facts after it,
 * which every commit writes, are folded into it. Folding from any place gives the same ledger.
 */
import { defaults } from '../defaults-data.ts'
import type { ConversationChanges } from '../derived/changes.ts'
import { loadFacts, loadLedger } from '../derived/rows.ts'
import type { ConversationState } from '../derived/state.ts'
import type { Seq } from '../domain/ids.ts'
import type { Ledger } from '../domain/ledger.ts'
import { foldLedger } from '../flow/history/fold-ledger.ts'
import type { ExtractedFacts } from '../flow/project/records.ts'
import type { StoredConversation } from '../ports/store.ts'
import { RecentMap } from './message-cache.ts'

export type LedgerCache = ReturnType<typeof createLedgerCache>

/** The ledger when the state was read. */
export interface LedgerOfState {
  read(): Promise<Ledger | null>
  /** With facts that the background has extracted since. */
  newest(): Promise<Ledger | null>
  /** What to commit: new rows, and the ledger if the stored one lags; null for nothing. */
  change(extracted: ExtractedFacts): NonNullable<ConversationChanges['facts']> | null
  /** Called after the next version was committed, with its facts if there were any. */
  committed(extracted: ExtractedFacts | null): void
}

interface Known {
  readonly version: number
  readonly ledger: Ledger
  /** The end of the stored ledger. */
  readonly writtenTo: Seq
}

export function createLedgerCache() {
  const maxEntries = defaults.knownLedgerEntries
  const bySerial = new RecentMap<number, Known>(maxEntries, ({ ledger }) => ledger.entries.length)
  return (
    chat: StoredConversation,
    state: Pick<ConversationState, 'serial' | 'conversation'> | null,
  ): LedgerOfState => {
    const serial = state?.serial ?? null
    const version = state?.conversation.version ?? 0
    const found = serial === null ? undefined : bySerial.get(serial)
    // Another version may come from another process, with more facts.
    let known = found?.version === version ? found : null
    let writtenTo = known?.writtenTo ?? null
    let reading: Promise<Ledger | null> | null = null
    const load = async () => {
      const stored = await loadLedger(chat.store, chat)
      writtenTo = stored?.to ?? null
      return stored && withNewerFacts(stored, chat)
    }
    const read = async () => {
      if (known !== null) return known.ledger
      reading ??= load()
      return reading
    }
    const remember = (at: number, ledger: Ledger | undefined) => {
      if (serial === null || ledger === undefined || writtenTo === null) return
      known = { version: at, ledger, writtenTo }
      bySerial.set(serial, known)
    }
    return {
      read,
      async newest() {
        const ledger = await read()
        const newest = ledger && (await withNewerFacts(ledger, chat))
        // Unless a request has committed a later one.
        if (newest !== null && (bySerial.get(serial ?? 0)?.version ?? 0) <= version)
          remember(version, newest)
        return newest
      },
      change({ rows, ledger }) {
        const isStale = writtenTo === null || ledger.to - writtenTo > defaults.ledgerMessages
        if (isStale) writtenTo = ledger.to
        else if (rows.length === 0) return null
        return { rows, ledger: isStale ? ledger : null }
      },
      committed(extracted) {
        remember(version + 1, extracted?.ledger ?? known?.ledger)
      },
    }
  }
}

async function withNewerFacts(stored: Ledger, { store, id }: StoredConversation): Promise<Ledger> {
  const span = { from: stored.to, to: Number.MAX_SAFE_INTEGER }
  const rows = (await loadFacts(store, { id, span })) ?? []
  const last = rows.at(-1)
  return last === undefined ? stored : foldLedger(stored, rows, last.seq + 1)
}
