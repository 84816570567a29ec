/** Selects messages and renders the history block, so that both fit the budget together. */
import { addSizes, noSize, type Size } from '../../domain/context.ts'
import type { Message } from '../../domain/message.ts'
import type { SummaryRecord } from '../../domain/summary.ts'
import type { ShownView, View } from '../../domain/view.ts'
import { historyMessages } from '../assemble/slots.ts'
import { type HistoryLimits, historyLimits } from '../history/history-limits.ts'
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
import { taskTokensWithin } from '../select/select-options.ts'

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
 * exactly its share, so one correction uses what it leaves, or makes room for it.
 */
export async function selectWithHistory(
  inputs: ContextInputs,
  fixed: FixedParts,
  loaded: Candidates,
  isRecalling = false,
): Promise<SelectedView> {
  const { budget, protectedTokens } = fixed.plan
  const wholeTokens = loaded.task?.size.tokens ?? 0
  const taskTokens =
    inputs.policy.trim.order === 'share'
      ? taskTokensWithin(wholeTokens, budget.targetTokens - protectedTokens)
      : wholeTokens
  const takenTokens = addSizes(insertSizes(inputs)).tokens + taskTokens / 2
  const limits = historyLimits(inputs, fixed, { isRecalling, takenTokens })
  const beside = besideHistory(inputs, fixed, limits)
  const shares = sizeOfTokens(limits.summaryTokens + limits.ledgerTokens + limits.filesTokens)
  let current = await beside(loaded, { reserved: shares, share: 1 })
  let best: BesideHistory | null = null
  for (let corrections = 0; current !== null; corrections += 1) {
    const { block, fits, isFilled } = current
    if (fits && (best === null || isBetter(inputs, best, current))) best = current
    const isCorrected = corrections > 0 || block.tokens <= shares.tokens
    if ((fits && isFilled && isCorrected) || corrections === maxCorrections) break
    const reserved = fits ? block : addSizes([block, sizeOfTokens(overshootTokens)])
    const share = best === null && corrections > 0 ? smallShare : 1
    current = await beside(reusingStubs(current), { reserved, share })
  }
  return best?.selection ?? selectAlone(inputs, fixed, loaded)
}

/** The second only where the first leaves room, or still does not fit. */
const maxCorrections = 2
const overshootTokens = 64
/** A history block that does not fit gets this share of its limits. */
const smallShare = 0.6

/** Most stubs stay the same. */
function reusingStubs({ candidates, selection: { selected } }: BesideHistory): Candidates {
  return { ...candidates, earlierStubs: [...candidates.earlierStubs, ...selected.stubs] }
}

interface BesideHistory {
  readonly selection: SelectedView
  readonly candidates: Candidates
  /** The size of the history block. */
  readonly block: Size
  readonly fits: boolean
  /** Whether it has the target; a policy that keeps only the newest messages has none. */
  readonly isFilled: boolean
}

/** A corrected selection is nearer to the target; other orders than `share` show what fits. */
function isBetter({ policy }: ContextInputs, first: BesideHistory, second: BesideHistory): boolean {
  const isNearer = second.isFilled && policy.trim.order === 'share'
  return isNearer || second.selection.shown.size.tokens > first.selection.shown.size.tokens
}

/** Selects messages beside a reserved room, and renders the history block for them. */
function besideHistory(inputs: ContextInputs, fixed: FixedParts, limits: HistoryLimits) {
  const { plan } = fixed
  const renderer = historyRenderer(inputs)
  return async (
    loaded: Candidates,
    { reserved, share }: { readonly reserved: Size; readonly share: number },
  ): Promise<BesideHistory | null> => {
    const fitted = renderer.hasRoomIn(limits)
      ? await selectFrom(inputs, fixed, loaded, reserved)
      : null
    if (fitted === null) return null
    const rendered = await renderer.render(fitted, limits, share)
    const { history } = rendered
    const shown = renderDegraded(inputs, fitted, { ...fitted.selected, history })
    const summaryTokens = Math.floor(limits.modelSummaryTokens * share)
    return {
      selection: withSummaryRendering(
        inputs,
        { ...fitted, shown, ...rendered, summaryTokens },
        (record) => renderer.render({ ...fitted, shown }, limits, share, record),
      ),
      candidates: fitted.candidates,
      block: historySize({ line: fitted.selected.line, history }, inputs.meter),
      fits: plan.tokensAgainstLimit(shown.size) <= plan.limitTokens,
      isFilled: inputs.policy.fill === 'recent' || shown.size.tokens >= plan.budget.targetTokens,
    }
  }
}

/** Without a history block, for which there is no room. */
async function selectAlone(
  inputs: ContextInputs,
  fixed: FixedParts,
  candidates: Candidates,
): Promise<SelectedView> {
  const fitted = await selectFrom(inputs, fixed, candidates, noSize)
  if (fitted === null) throw contextOverflow(fixed.plan, fixed.sizes, inputs.meter.card.id)
  return fitted
}

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
  loaded: Candidates,
  reserved: Size,
): Promise<SelectedView | null> {
  const start = Math.max(inputs.coveredTo, loaded.from ?? 0)
  const isAll = (loaded.candidates[0]?.message.seq ?? start) <= start
  const near = selectToFit(inputs, fixed, loaded, reserved)
  const filledTokens = (near?.shown.size.tokens ?? 0) + reserved.tokens
  const isRecent = inputs.policy.fill === 'recent'
  if (isAll || isRecent || near === null || filledTokens >= fixed.plan.budget.targetTokens)
    return near && { ...withoutHistory, ...near, fixed, candidates: loaded }
  const candidates = candidatesAfter(await loadCandidates(inputs, fixed, lookBackFactor), start)
  const far = selectToFit(inputs, fixed, candidates, reserved)
  return far && { ...withoutHistory, ...far, fixed, candidates }
}

const lookBackFactor = 16

const withoutHistory = {
  history: null,
  facts: null,
  summary: null,
  summaryOutcome: null,
  superseded: false,
  summaryTokens: 0,
  withSummary: async () => null,
} as const
