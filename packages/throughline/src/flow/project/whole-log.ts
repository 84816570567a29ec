/**
 * Shows every message of the log, if all of them fit: what the first request of most conversations does. It needs nothing of
 * `select/` and `epoch/`, which a program loads with its first compaction.
 */
import { defaults } from '../../defaults-data.ts'
import { noSize, type Size } from '../../domain/context.ts'
import type { Decision, EpochCause } from '../../domain/decision.ts'
import type { Message } from '../../domain/message.ts'
import { isRemoved } from '../../domain/sealed-message.ts'
import type { View } from '../../domain/view.ts'
import type { Meter } from '../measure/measure.ts'
import { areSameParts } from '../text/map-strings.ts'
import { sanitizeMessage } from '../text/sanitize-message.ts'
import {
  type Candidate,
  type Candidates,
  type ContextInputs,
  type FixedParts,
  noChanges,
  type RenderedRequest,
  type ViewOutcome,
} from './records.ts'
import { nextMessages, renderSelected } from './render-view.ts'

/** The outcome of `makeView` where a first view shows everything; null where it may not. */
export async function wholeFirstView(
  inputs: ContextInputs,
  fixed: FixedParts,
  decision: Decision,
): Promise<ViewOutcome | null> {
  const { view, policy, coveredTo } = inputs
  if (view !== null || coveredTo > 0 || decision.kind !== 'renew' || policy.fill === 'recent')
    return null
  const candidates = await candidatesWithin(inputs, fixed.plan.budget.triggerTokens)
  if (candidates === null) return null
  const shown = renderWhole({ ...inputs, inserts: [] }, fixed, { candidates }, decision)
  return shown && showEverything(inputs, shown, 'first')
}

/** All messages; null if they have more tokens than `maxTokens`. */
async function candidatesWithin(
  inputs: ContextInputs,
  maxTokens: number,
): Promise<readonly Candidate[] | null> {
  const { log, meter } = inputs
  const next = nextMessages(inputs)
  const found = next.map((message) => ({ message, size: meter.closeSize(message), pinSize: null }))
  let tokens = found.reduce((sum, { size }) => sum + size.tokens, 0)
  for (let before = log.head; before > 0; ) {
    const page = await log.readBack(before, Math.min(defaults.pageLookBack, before))
    for (const message of page.toReversed()) {
      const size = sizeToSend(message, meter)
      tokens += size.tokens
      if (tokens > maxTokens) return null
      found.unshift({ message, size, pinSize: null })
    }
    before = page[0]?.seq ?? 0
  }
  return found
}

/** The size of a message after repairs: lone surrogates cost many tokens, but are never sent. */
export function sizeToSend(message: Message, meter: Meter): Size {
  if (isRemoved(message)) return noSize
  const { parts } = sanitizeMessage({ ...message, slot: 'recent' })
  const isSame = areSameParts(parts, message.parts)
  return meter.closeSize(isSame ? message : { ...message, parts, hashes: undefined })
}

/** Renders every message that the extension does not describe; null if that is too large. */
export function renderWhole(
  inputs: ContextInputs,
  fixed: FixedParts,
  { candidates }: Pick<Candidates, 'candidates'>,
  { kind }: Decision,
): RenderedRequest | null {
  const { policy, coveredTo } = inputs
  // With `fill: 'recent'`, a compaction always hides messages.
  if (policy.fill === 'recent' && kind === 'compact') return null
  if ((candidates[0]?.message.seq ?? coveredTo) > coveredTo) return null
  const { plan } = fixed
  const { triggerTokens, targetTokens } = plan.budget
  // A compaction reduces to the target; any other decision may fill up to the trigger.
  const maxTokens = kind === 'compact' ? targetTokens : triggerTokens
  const wholeTokens = candidates.reduce((sum, { size }) => sum + size.tokens, 0)
  if (wholeTokens > maxTokens) return null
  const all = { candidates, task: null, earlierStubs: [] }
  const shown = renderSelected(inputs, fixed, all, { ...fullView, line: coveredTo })
  const fits = plan.tokensAgainstLimit(shown.size) <= plan.limitTokens
  return fits && shown.size.tokens <= maxTokens ? shown : null
}

export function showEverything(
  { view, lastRequest }: ContextInputs,
  shown: RenderedRequest,
  cause: EpochCause,
): ViewOutcome {
  const outcome = { ...noChanges, shown, view: null }
  return view === null
    ? { ...outcome, epoch: lastRequest?.epoch ?? 1, epochCause: null }
    : { ...outcome, epoch: view.epoch + 1, epochCause: cause }
}

/** Shows every message. It is stored only after an undo, so that no lost view is assumed. */
export const fullView = {
  line: 0,
  keeps: [],
  stubs: [],
  history: null,
  next: null,
  degraded: null,
  // 0 turns off the regrowth guard: this view ends when the request is full.
  beganTokens: 0,
} as const satisfies Partial<View>
