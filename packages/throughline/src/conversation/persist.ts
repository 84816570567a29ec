/** Commits the changes of a request, guarded by the version. */
import type { ConversationChanges } from '../derived/changes.ts'
import { commitChanges } from '../derived/commit.ts'
import type { ConversationState } from '../derived/state.ts'
import type { Compacted, RequestRecord } from '../domain/receipt.ts'
import type { Meter } from '../flow/measure/measure.ts'
import type { ContextResult } from '../flow/project/records.ts'
import { controlChanges } from './change-conversation.ts'
import { requestedCompactionOf, type Snapshot } from './load-snapshot.ts'
import { receiptChange } from './receipts.ts'
import type { Runtime } from './runtime.ts'
import { askStateWith } from './summary-attempts.ts'

/** False where another commit was faster: the state is stale. */
export async function persist(snapshot: Snapshot, result: ContextResult, runtime: Runtime) {
  const { store, id, meter, ledger, state, pinned, now } = snapshot
  // Before the first message there is no view to keep.
  if (state === null) return true
  const { sent, compacted } = result
  const { view, facts } = result.outcome
  const { version } = state.conversation
  const { recorded } = state
  const isWaiting = state.followUpDue !== null
  const durationMs = Math.max(0, runtime.now() - now)
  const factsChange = facts && ledger.change(facts)
  const changes: ConversationChanges = {
    ...pinned,
    ...(view !== state.view && { view: { model: meter.card.id, view } }),
    ...(factsChange !== null && { facts: factsChange }),
    ...summarizedChange(snapshot, compacted),
    ...receiptChange(result, { at: now, durationMs, recorded, isWaiting }),
    ...controlChange(state, meter, view !== state.view && isCompaction(sent)),
  }
  if (Object.keys(changes).length === 0) return true
  const outcome = await commitChanges(store, { id, expectedVersion: version, changes, at: now })
  if (outcome.kind === 'committed') {
    ledger.committed(facts)
    if (facts !== null) runtime.factRows.extend(state, facts.rows)
    const known = { version: version + 1, serial: state.serial, view }
    runtime.views.committed(snapshot, meter.card.id, known)
  }
  return outcome.kind !== 'version-moved'
}

function isCompaction({ decision: { kind } }: RequestRecord): boolean {
  return kind === 'compact' || kind === 'trim'
}

/** Clears a requested compaction that is done; a compaction ends the suspension of its model. */
function controlChange(
  state: ConversationState,
  meter: Meter,
  isCompacted: boolean,
): Pick<ConversationChanges, 'compaction'> {
  const { suspended } = state.conversation.compaction
  return controlChanges(state.conversation, {
    ...(requestedCompactionOf(state, meter) !== null && { asked: null }),
    ...(isCompacted && { suspended: suspended.filter(({ model }) => model !== meter.card.id) }),
  })
}

function summarizedChange(
  { state, meter, now, attempts }: Snapshot,
  compacted: Compacted | null,
): Pick<ConversationChanges, 'summarized'> {
  const asking = askStateWith(state?.asking ?? null, attempts, now)
  if (attempts.written === null || asking === null) return {}
  const { record, summarization, decision } = attempts.written
  const tokensAfter = compacted?.tokensAfter ?? null
  const { id: model } = meter.card
  return { summarized: { record, summarization, model, decision, tokensAfter, asking } }
}
