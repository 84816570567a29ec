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
  SelectedView,
} from '../project/records.ts'
import { renderSelected } from '../project/render-view.ts'
import { recallableTokens, recallLimits } from '../recall/recall-for-turn.ts'
import { insertSizes, selectToFit } from '../select/fit-selection.ts'
import { candidatesAfter, loadCandidates } from '../select/load-candidates.ts'

/** Leaves room for recall: a question about hidden messages may take some of the target. */
export async function selectWithRecallRoom(
  inputs: ContextInputs,
  fixed: FixedParts,
  candidates: Candidates,
  question: Message | null,
): Promise<SelectedView> {
  const recallTokens = question === null ? 0 : await recallableTokens(inputs, fixed, question)
  if (recallTokens === 0) return selectWithHistory(inputs, fixed, candidates)
  const targetTokens = recallLimits(inputs, fixed).totalTokens - recallTokens
  const isSmaller = targetTokens < fixed.plan.budget.targetTokens
  const parts = isSmaller ? withTarget(fixed, targetTokens) : fixed
  return selectWithHistory(inputs, parts, candidates, true)
}

/**
 * The history block and the messages have reserved shares of the target. The block seldom has
 * exactly its share, so a second selection uses what it leaves, or makes room for it.
 */
export async function selectWithHistory(
  inputs: ContextInputs,
  fixed: FixedParts,
  first: Candidates,
  isRecalling = false,
): Promise<SelectedView> {
  const { meter } = inputs
  const { plan } = fixed
  const takenTokens = addSizes(insertSizes(inputs)).tokens + (first.task?.size.tokens ?? 0) / 2
  const limits = historyLimits(inputs, fixed, { isRecalling, takenTokens })
  const renderer = historyRenderer(inputs)
  let candidates = first
  let reserved = sizeOfTokens(limits.summaryTokens + limits.ledgerTokens + limits.filesTokens)
  let best: SelectedView | null = null
  for (let round = 0; round < maxRounds && renderer.hasRoomIn(limits); round += 1) {
    const fitted = await selectFrom(inputs, fixed, candidates, reserved)
    if (fitted === null) break
    // The next round reuses the stubs, because most of them stay the same.
    const earlierStubs = [...fitted.candidates.earlierStubs, ...fitted.selected.stubs]
    candidates = { ...fitted.candidates, earlierStubs }
    const share = best === null ? shareIfTooLarge ** round : 1
    const rendered = await renderer.render({ ...fitted, candidates }, limits, share)
    const { history } = rendered
    const size = historySize({ line: fitted.selected.line, history }, meter)
    const shown = renderDegraded(inputs, fitted, { ...fitted.selected, history })
    const fits = plan.tokensAgainstLimit(shown.size) <= plan.limitTokens
    const { tokens } = shown.size
    const isFilled = inputs.policy.fill === 'recent' || tokens >= plan.budget.targetTokens
    // A corrected selection is nearer to the target; other orders than `share` show what fits.
    const isNearer = isFilled && inputs.policy.trim.order === 'share'
    if (fits && (best === null || isNearer || tokens > best.shown.size.tokens)) {
      const summaryTokens = Math.floor(limits.modelSummaryTokens * share)
      const selection = { ...fitted, shown, ...rendered, summaryTokens }
      best = withSummaryRendering(inputs, selection, (record) =>
        renderer.render({ ...fitted, shown }, limits, share, record),
      )
    }
    const isCorrected = round > 0 || size.tokens <= reserved.tokens
    if (best !== null && fits && isFilled && isCorrected) return best
    reserved = fits ? size : addSizes([size, sizeOfTokens(overshootTokens)])
  }
  if (best !== null) return best
  const fitted = await selectFrom(inputs, fixed, candidates, noSize)
  if (fitted === null) throw contextOverflow(plan, fixed.sizes, meter.card.id)
  return fitted
}

const maxRounds = 3
/** A history block that does not fit gets this share of its limits in the next round. */
const shareIfTooLarge = 0.6
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
