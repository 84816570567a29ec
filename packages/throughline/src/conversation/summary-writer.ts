/** The writer of summaries for one request: the engine's models, and what this conversation has spent. */
import { type AskState, newAskState } from '../domain/asking.ts'
import type { ConversationId } from '../domain/ids.ts'
import type { SummaryWriter } from '../flow/summarize/summary-writer.ts'
import { systemTimer } from '../system.ts'
import type { Front } from './front.ts'

export interface WriterInput {
  readonly asking: AskState | null
  readonly signal: AbortSignal | null
  readonly take: SummaryWriter['take']
}

/** Null where no model was handed in. */
export function writerFor(
  id: ConversationId,
  { asking, signal, take }: WriterInput,
  front: Front,
): SummaryWriter | null {
  const styles = front.settings.styles.filter(({ models }) => models.length > 0)
  if (styles.length === 0) return null
  return {
    styles,
    state: asking ?? newAskState,
    clock: { now: front.now },
    timer: systemTimer,
    signal: signal ?? neverAborted,
    take,
    barrenAt: front.barren.headOf(front.tenant, id),
    meterFor: front.meter,
    note: (event) => front.tell(event, id),
  }
}

const neverAborted = new AbortController().signal
