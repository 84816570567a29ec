/**
 * Stage 7 of 8: persist. What a request has changed, in one commit that is guarded by the version:
 * the view, facts, summary, receipt, pins, and what was asked for and is done.
 */

import type { Suspended } from '../domain/compaction.ts'
import type { Compacted } from '../domain/receipt.ts'
import type { ContextResult } from '../engine.ts'
import type { Meter } from '../flow/measure/measure.ts'
import type { PinnedSaid } from '../flow/project/pin-user-messages.ts'
import type { ConversationChanges } from '../ports/commit-commands.ts'
import type { ConversationState } from '../ports/state-commands.ts'
import { controlChanges } from './change-conversation.ts'
import { receiptChange } from './follow-up-receipts.ts'
import type { LedgerOfState } from './ledger-cache.ts'
import { type ContextCall, wantedOf } from './load-inputs.ts'
import type { Runtime } from './runtime.ts'
import { askStateWith, type SummaryAttempts } from './summary-attempts.ts'

/** What an attempt has made. */
export interface Made extends ContextResult {
  readonly asked: SummaryAttempts
  readonly pinned: PinnedSaid | null
  readonly durationMs: number
}

/** False where somebody else was faster: what we know is old. */
export async function persist(
  { store, id, meter, ledger, now }: ContextCall & { readonly ledger: LedgerOfState },
  state: ConversationState | null,
  made: Made,
  front: Runtime,
): Promise<boolean> {
  // Before its first message there is nothing to keep a view of.
  if (state === null) return true
  const { version } = state.conversation
  const { recorded } = state
  const isWaiting = state.hindsightDue !== null
  const changes: ConversationChanges = {
    ...made.pinned,
    ...(made.view !== state.view && { view: { model: meter.card.id, view: made.view } }),
    ...factsChange(made, ledger),
    ...summarizedChange(made, state, { meter, now }),
    ...receiptChange(made, { at: now, durationMs: made.durationMs, recorded, isWaiting }),
    ...controlChange(made, state, meter),
  }
  if (Object.keys(changes).length === 0) return true
  const outcome = await store.commit({ id, expectedVersion: version, changes, at: now })
  if (outcome.kind === 'committed') {
    ledger.committed(made.facts)
    const known = { version: version + 1, serial: state.serial, view: made.view }
    front.views.committed(store, id, meter.card.id, known)
  }
  return outcome.kind !== 'version-moved'
}

/** What was asked for is done, and what was forced ends what somebody has suspended. */
function controlChange(
  { view, sent }: Pick<ContextResult, 'view' | 'sent'>,
  state: ConversationState,
  meter: Meter,
): Pick<ConversationChanges, 'compaction'> {
  const { kind } = sent.decision
  const isCompacted = view !== state.view && (kind === 'compact' || kind === 'trim')
  return controlChanges(state.conversation, {
    ...(wantedOf(state, meter) !== null && { asked: null }),
    ...(isCompacted && { suspended: suspendedBut(state.conversation, meter.card.id) }),
  })
}

function suspendedBut(
  { compaction }: ConversationState['conversation'],
  model: string,
): readonly Suspended[] {
  return compaction.suspended.filter((each) => each.model !== model)
}

function factsChange(
  { facts }: Pick<ContextResult, 'facts'>,
  ledger: LedgerOfState,
): Pick<ConversationChanges, 'facts'> {
  return facts === null || facts.rows.length === 0 ? {} : { facts: ledger.change(facts) }
}

function summarizedChange(
  { asked, compacted }: { readonly asked: SummaryAttempts; readonly compacted: Compacted | null },
  state: ConversationState,
  { meter, now }: Pick<ContextCall, 'meter' | 'now'>,
): Pick<ConversationChanges, 'summarized'> {
  const asking = askStateWith(state.asking, asked, now)
  if (asked.written === null || asking === null) return {}
  const { record, summarization, decision } = asked.written
  const tokensAfter = compacted?.tokensAfter ?? null
  const { id: model } = meter.card
  return { summarized: { record, summarization, model, decision, tokensAfter, asking } }
}
