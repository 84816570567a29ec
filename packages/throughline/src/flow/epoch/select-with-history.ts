/** Selects messages and renders the history block in rounds, until both fit the budget together. */
import { addSizes, noSize, type Size } from '../../domain/context.ts'
import type { Message } from '../../domain/message.ts'
import type { SummaryRecord } from '../../domain/summary.ts'
import type { ShownView, View } from '../../domain/view.ts'
import { historyMessages } from '../assemble/slots.ts'
import { historyLimits } from '../history/history-limits.ts'
import { type HistoryRenderer, historyRenderer } from '../history/render-history.ts'
import type { Meter } from '../measure/measure.ts'
import { contextOverflow } from '../measure/plan-budget.ts'
import { degrade, withTarget } from '../project/fixed-parts.ts'
import type {
  Candidates,
  ContextInputs,
  FixedParts,
  RenderedRequest,
  SelectedMessages,
  SelectedView,
} from '../project/records.ts'
import { renderSelected } from '../project/render-view.ts'
import { recallableTokens, recallLimits } from '../recall/recall-for-turn.ts'
import { selectToFit } from '../select/fit-selection.ts'
import { candidatesAfter, loadCandidates } from '../select/load-candidates.ts'

/** Leaves room for recall: a question about hidden messages may take some of the target. */
export async function selectWithRecallRoom(
  inputs: ContextInputs,
  fixed: FixedParts,
  candidates: Candidates,
  question: Message | null,
): Promise<SelectedView> {
  const recallTokens = question === null ? 0 : await recallableTokens(inputs, fixed, question)
  const targetTokens = recallLimits(inputs, fixed).totalTokens - recallTokens
  const isRecalling = recallTokens > 0
  if (!isRecalling || targetTokens >= fixed.plan.budget.targetTokens)
    return selectWithHistory(inputs, fixed, candidates, isRecalling)
  const recallFixed = withTarget(fixed, targetTokens)
  const first = await selectWithHistory(inputs, recallFixed, candidates, isRecalling)
  const excess = first.shown.size.tokens - targetTokens
  if (excess <= targetTokens * targetTolerance) return first
  // Some slots have a fixed share that does not shrink with the target.
  const smaller = withTarget(fixed, targetTokens - excess)
  return selectWithHistory(inputs, smaller, candidates, isRecalling)
}

const targetTolerance = 0.05

/** Needs a few rounds, because the size of the history block depends on the selection. */
export async function selectWithHistory(
  inputs: ContextInputs,
  fixed: FixedParts,
  first: Candidates,
  isRecalling = false,
): Promise<SelectedView> {
  const { meter } = inputs
  const { plan } = fixed
  const limits = historyLimits(inputs, fixed, isRecalling)
  const isRecent = inputs.policy.fill === 'recent'
  const renderer = historyRenderer(inputs)
  let candidates = first
  let reserved = sizeOfTokens(limits.summaryTokens + limits.ledgerTokens + limits.filesTokens)
  let share = 1
  let best: SelectedView | null = null
  for (let round = 0; round < maxRounds && renderer.hasRoomIn(limits); round += 1) {
    const fitted = await selectFrom(inputs, fixed, candidates, reserved)
    if (fitted === null) break
    // The next round reuses the stubs, because most of them stay the same.
    const earlierStubs = [...fitted.candidates.earlierStubs, ...fitted.selected.stubs]
    candidates = { ...fitted.candidates, earlierStubs }
    const rendered = await renderer.render({ ...fitted, candidates }, limits, share)
    const { history } = rendered
    const size = historySize({ line: fitted.selected.line, history }, meter)
    const shown = renderDegraded(inputs, fitted, { ...fitted.selected, history })
    if (plan.tokensAgainstLimit(shown.size) > plan.limitTokens) {
      share *= shareIfTooLarge
      reserved = addSizes([size, sizeOfTokens(overshootTokens)])
      continue
    }
    if (best === null || shown.size.tokens > best.shown.size.tokens) {
      const summaryTokens = Math.floor(limits.modelSummaryTokens * share)
      const selection = { ...fitted, shown, ...rendered, summaryTokens }
      best = withSummaryRendering(inputs, selection, (record) =>
        renderer.render({ ...fitted, shown }, limits, share, record),
      )
    }
    const isFilled = isRecent || shown.size.tokens >= plan.budget.targetTokens
    const isReserved = size.tokens <= reserved.tokens * reservedRatio
    // The block needs less than was reserved, and the rest may be enough for the whole task.
    const mayShowTask = cutsTask(fitted.selected) && size.tokens < reserved.tokens
    if ((isFilled && isReserved && !mayShowTask) || reserved.tokens === size.tokens) return best
    reserved = size
  }
  if (best !== null) return best
  const fitted = await selectFrom(inputs, fixed, candidates, noSize)
  if (fitted === null) throw contextOverflow(plan, fixed.sizes, meter.card.id)
  return fitted
}

function cutsTask({ keeps, stubs }: SelectedMessages): boolean {
  return stubs.some(({ seq }) => keeps.includes(seq))
}

const maxRounds = 3
/** A history block that does not fit gets this share of its limits in the next round. */
const shareIfTooLarge = 0.6
const reservedRatio = 1.05
const overshootTokens = 64

/** Adds the function that puts a new summary into the history block. */
function withSummaryRendering(
  inputs: ContextInputs,
  selection: SelectedView,
  renderBlock: (record: SummaryRecord) => ReturnType<HistoryRenderer['render']>,
): SelectedView {
  const { plan } = selection.fixed
  return {
    ...selection,
    withSummary: async (record) => {
      const rendered = await renderBlock(record)
      const { history } = rendered
      const shown = renderDegraded(inputs, selection, { ...selection.selected, history })
      const fits = plan.tokensAgainstLimit(shown.size) <= plan.limitTokens
      return fits ? { ...selection, shown, ...rendered } : null
    },
  }
}

export function renderDegraded(
  inputs: ContextInputs,
  { fixed, candidates, degraded }: Pick<SelectedView, 'fixed' | 'candidates' | 'degraded'>,
  view: ShownView,
): RenderedRequest {
  const reduced = degrade(inputs, fixed, degraded)
  return renderSelected(reduced.input, reduced.fixed, candidates, view)
}

function sizeOfTokens(tokens: number): Size {
  return { tokens, wire: Math.ceil(tokens * wireRatio) }
}

// JSON escapes line breaks and quotes.
const wireRatio = 1.15

function historySize(view: Pick<View, 'line' | 'history'>, meter: Meter): Size {
  const blocks = Object.values(historyMessages(view)).flat()
  return addSizes(blocks.map((message) => meter.closeSize(message)))
}

/** Selects without a history block. If shortened messages leave room, it loads older candidates. */
async function selectFrom(
  inputs: ContextInputs,
  fixed: FixedParts,
  first: Candidates,
  reserved: Size,
): Promise<SelectedView | null> {
  const start = Math.max(inputs.coveredTo, first.from ?? 0)
  let candidates = first
  let fitted = selectToFit(inputs, fixed, candidates, reserved)
  for (const factor of lookBackFactors) {
    const isAll = (candidates.candidates[0]?.message.seq ?? start) <= start
    const filledTokens = (fitted?.shown.size.tokens ?? 0) + reserved.tokens
    const isRecent = inputs.policy.fill === 'recent'
    if (isAll || isRecent || fitted === null || filledTokens >= fixed.plan.budget.targetTokens)
      break
    candidates = candidatesAfter(await loadCandidates(inputs, fixed, factor), start)
    fitted = selectToFit(inputs, fixed, candidates, reserved)
  }
  return fitted && { ...withoutHistory, ...fitted, fixed, candidates }
}

const lookBackFactors = [4, 16]

const withoutHistory = {
  history: null,
  facts: null,
  summary: null,
  summaryOutcome: null,
  superseded: false,
  summaryTokens: 0,
  withSummary: async () => null,
} as const
