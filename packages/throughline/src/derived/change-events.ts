/** Builds the events of a commit for every store, so that stores cannot differ. */
import type { CompactionControl } from '../domain/conversation.ts'
import type { EventBody } from '../domain/event.ts'
import type { Seq } from '../domain/ids.ts'
import type { FollowUp } from '../domain/receipt.ts'
import type { ConversationChanges, Summarized } from './changes.ts'

/** One event for each kind of change, in this order; at least one, so every version has one. */
export function changeEvents(changes: ConversationChanges, version: number): readonly EventBody[] {
  const { pins, view, compaction, facts, receipt, summarized } = changes
  const { restored, edited, digested, remembered } = changes
  const events: EventBody[] = []
  const fields = (['title', 'meta'] as const).filter((field) => changes[field] !== undefined)
  if (fields.length > 0) events.push({ kind: 'conversation-updated', fields })
  if (pins !== undefined) events.push({ kind: 'pins-changed', pins })
  if (compaction !== undefined)
    events.push({ kind: 'compaction-controlled', control: reportedControl(compaction) })
  // The event of the next epoch reports the end of a view.
  if (view !== undefined && view.view !== null) {
    const { epoch, cause } = view.view
    events.push({ kind: 'epoch-began', model: view.model, epoch, cause })
  }
  if (restored !== undefined && view !== undefined)
    events.push({ kind: 'view-restored', model: view.model, version, ...restored })
  if (edited !== undefined) {
    const { id: summary, tokens } = edited.record
    events.push({ kind: 'summary-edited', model: edited.model, summary, tokens })
  }
  if (facts !== undefined) events.push({ kind: 'facts-extracted', to: extractedTo(facts) })
  if (summarized !== undefined) events.push(summaryEvent(summarized))
  if (digested !== undefined) {
    const { seq, record, calls, costUsd } = digested
    const degraded = record?.degraded ?? null
    events.push({ kind: 'message-digested', seq, degraded, calls, costUsd })
  }
  if (remembered !== undefined) {
    const { turn, messages } = remembered.record
    events.push({ kind: 'turn-remembered', turn, messages })
  }
  if (receipt !== undefined) {
    const { model, epoch, decision, line, tokensBefore, tokensAfter } = receipt.receipt
    const figures = { reason: decision.reason, line, tokensBefore, tokensAfter }
    events.push({ kind: 'compaction-finished', receipt: version, model, epoch, ...figures })
  }
  return events.length > 0 ? events : [{ kind: 'conversation-updated', fields }]
}

/** Without instructions: events are kept for ever, so they contain no words of users. */
function reportedControl(control: CompactionControl): CompactionControl {
  if (control.asked?.reason !== 'manual') return control
  const { instructions: _, ...asked } = control.asked
  return { ...control, asked }
}

function summaryEvent(summarized: Summarized): EventBody {
  const { record, summarization, model, decision, tokensAfter } = summarized
  const { attempts, costUsd, durationMs, why } = summarization
  const { tokens: tokensBefore, ratio } = decision.figures
  const figures = {
    model,
    reason: decision.reason,
    tokensBefore,
    ratio,
    calls: attempts.length,
    costUsd,
    durationMs,
  }
  if (record === null) return { kind: 'summary-failed', ...figures, why: why ?? 'all-failed' }
  const { id: summary, depth, generation, added } = record
  const messages = added.to - added.from
  return { kind: 'summary-written', ...figures, summary, depth, generation, messages, tokensAfter }
}

/** Without a ledger, the end of the rows is the end that the ledger would have. */
function extractedTo({ rows, ledger }: NonNullable<ConversationChanges['facts']>): Seq {
  return ledger?.to ?? (rows.at(-1)?.seq ?? -1) + 1
}

export function completionEvent(
  version: number,
  { reopenedFiles, recalls, names }: FollowUp,
): EventBody {
  const { needed: namesNeeded, shown: namesShown } = names
  const figures = { reopenedFiles, recalls, namesNeeded, namesShown }
  return { kind: 'receipt-completed', receipt: version, ...figures }
}
