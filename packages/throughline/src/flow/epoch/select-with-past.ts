/** A selection, and what stands for what it does not show: both in one request that fits. */

import type { Message } from '../../domain/message.ts'
import { addSizes, noSize, type Size } from '../../domain/size.ts'
import type { View } from '../../domain/view.ts'
import type { RenderedRequest } from '../assemble/render.ts'
import { pastMessages } from '../assemble/slots.ts'
import type { Meter } from '../measure/measure.ts'
import { contextOverflow } from '../measure/plan-budget.ts'
import { type PastLimits, pastLimits } from '../past/past-limits.ts'
import {
  type HistoryRenderer,
  historyRenderer,
  type RenderedHistory,
} from '../past/render-history.ts'
import { squeeze, withTarget } from '../project/fixed-parts.ts'
import type { Candidates, ContextInputs, FixedParts } from '../project/records.ts'
import { renderSelected, type Shows } from '../project/render-view.ts'
import { recallableTokens, recallLimits } from '../recall/recall-for-turn.ts'
import { type FittedSelection, selectToFit } from '../select/fit-selection.ts'
import { loadCandidates } from '../select/load-candidates.ts'

export interface SelectedWithPast extends FittedSelection, RenderedHistory {
  readonly considered: Candidates
  /** What the past was told by, to tell it once more with a summary; null where nothing tells it. */
  readonly telling: Telling | null
}

interface Telling {
  readonly tell: HistoryRenderer
  readonly limits: PastLimits
  readonly share: number
}

/**
 * What stands for the past needs room, and how much is known only when it is known what
 * the past is: so there are a few rounds, each with what the one before has found out.
 */
export async function selectWithPast(
  input: ContextInputs,
  held: FixedParts,
  first: Candidates,
): Promise<SelectedWithPast> {
  const { meter } = input
  const { plan } = held
  const limits = pastLimits(input, held)
  const isRecent = input.policy.fill === 'recent'
  const tell = historyRenderer(input)
  let considered = first
  let reserved = sizeOfTokens(limits.summaryTokens + limits.ledgerTokens + limits.filesTokens)
  let share = 1
  let found: SelectedWithPast | null = null
  for (let round = 0; round < rounds && tell.hasRoomIn(limits); round += 1) {
    const fitted = await selectFrom(input, held, considered, reserved)
    if (fitted === null) break
    // Most stubs are the same in the next round.
    const known = [...fitted.considered.known, ...fitted.selected.stubs]
    considered = { ...fitted.considered, known }
    const { past, facts, summary } = await tell.of({ ...fitted, considered }, limits, share)
    const size = pastSize({ line: fitted.selected.line, past }, meter)
    const shown = renderSqueezed(input, held, fitted, { ...fitted.selected, past })
    if (plan.hard(shown.size) > plan.hardTokens) {
      share *= less
      reserved = addSizes([size, sizeOfTokens(overshootTokens)])
      continue
    }
    if (found === null || shown.size.tokens > found.shown.size.tokens)
      found = { ...fitted, shown, past, facts, summary, telling: { tell, limits, share } }
    const isFilled = isRecent || shown.size.tokens >= plan.budget.targetTokens
    const isReserved = size.tokens <= reserved.tokens * reservedRatio
    if ((isFilled && isReserved) || reserved.tokens === size.tokens) return found
    reserved = size
  }
  if (found !== null) return found
  const fitted = await selectFrom(input, held, considered, noSize)
  if (fitted === null) throw contextOverflow(plan, held.sizes, meter.card.id)
  return { ...fitted, past: null, facts: null, summary: null, telling: null }
}

const rounds = 5
/** Where it does not fit, there is less of it in the next round. */
const less = 0.6

export function renderSqueezed(
  input: ContextInputs,
  held: FixedParts,
  { considered, squeezed }: Pick<SelectedWithPast, 'considered' | 'squeezed'>,
  shows: Shows,
): RenderedRequest {
  const { input: variant, held: left } = squeeze(input, held, squeezed)
  return renderSelected(variant, left, considered, shows)
}

const reservedRatio = 1.05
const overshootTokens = 64

function sizeOfTokens(tokens: number): Size {
  return { tokens, wire: Math.ceil(tokens * writtenRatio) }
}

// Line ends and quotes are escaped.
const writtenRatio = 1.15

function pastSize(view: Pick<View, 'line' | 'past'>, meter: Meter): Size {
  const { summary, ledger, files } = pastMessages(view)
  return addSizes([...summary, ...ledger, ...files].map((message) => meter.closeSize(message)))
}

/** Where units had to become notes, older ones find room that nobody has looked at yet. */
async function selectFrom(
  input: ContextInputs,
  held: FixedParts,
  first: Candidates,
  reserved: Size,
): Promise<(FittedSelection & { readonly considered: Candidates }) | null> {
  let considered = first
  let fitted = selectToFit(input, held, considered, reserved)
  for (const times of lookBackTimes) {
    const isAll = (considered.candidates[0]?.message.seq ?? input.coveredTo) === input.coveredTo
    const filledTokens = (fitted?.shown.size.tokens ?? 0) + reserved.tokens
    const isRecent = input.policy.fill === 'recent'
    if (isAll || isRecent || fitted === null || filledTokens >= held.plan.budget.targetTokens) break
    considered = await loadCandidates(input, held, times)
    fitted = selectToFit(input, held, considered, reserved)
  }
  return fitted && { ...fitted, considered }
}

const lookBackTimes = [4, 16]

/** A selection that leaves room for what will be recalled beside it. */
interface SelectedBeside {
  /** With what was left to the selection. */
  readonly held: FixedParts
  readonly selection: SelectedWithPast
}

/** A question about what is gone may have some of the room of what is shown. */
export async function selectWithRecallRoom(
  input: ContextInputs,
  held: FixedParts,
  considered: Candidates,
  question: Message | null,
): Promise<SelectedBeside> {
  const recalled = question === null ? 0 : await recallableTokens(input, held, question)
  const left = recallLimits(input, held).total - recalled
  if (recalled === 0 || left >= held.plan.budget.targetTokens)
    return { held, selection: await selectWithPast(input, held, considered) }
  const less = withTarget(held, left)
  const first = { held: less, selection: await selectWithPast(input, less, considered) }
  const over = first.selection.shown.size.tokens - left
  if (over <= left * slack) return first
  // Some of it has a share of its own, whatever the target is.
  const least = withTarget(held, left - over)
  return { held: least, selection: await selectWithPast(input, least, considered) }
}

const slack = 0.05
