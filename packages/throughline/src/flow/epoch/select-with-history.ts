/**
 * Selects messages and renders the history block, so that both fit the budget together.
 *
 * Each step follows from the one before: reserve room for recall and for the block, select messages
 * beside it, render the block, let stubs grow into what the block leaves, and render the request. Only
 * where that is too large, or the block has far less than expected, all of it runs again.
 */
import { addSizes, noSize, type Size } from '../../domain/context.ts'
import type { Message } from '../../domain/message.ts'
import type { SummaryRecord } from '../../domain/summary.ts'
import type { ShownView, View } from '../../domain/view.ts'
import { historyMessages } from '../assemble/slots.ts'
import { type HistoryLimits, historyLimits } from '../history/history-limits.ts'
import {
  type History,
  hidesNothing,
  noBlock,
  openHistory,
  sharesRoom,
} from '../history/render-history.ts'
import { contextOverflow } from '../measure/context-overflow.ts'
import type { Meter } from '../measure/measure.ts'
import { degradations, degrade, withTarget } from '../project/fixed-parts.ts'
import type {
  Candidates,
  ContextInputs,
  FixedParts,
  RenderedRequest,
  SelectedMessages,
  SelectedView,
} from '../project/records.ts'
import { renderSelected, wholeMessages } from '../project/render-view.ts'
import { recallableTokens, recallLimits } from '../recall/recall-for-turn.ts'
import { insertSizes, selectMessages } from '../select/select-messages.ts'
import { type Quotes, taskTokensWithin } from '../select/select-options.ts'

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

export async function selectWithHistory(
  inputs: ContextInputs,
  fixed: FixedParts,
  candidates: Candidates,
  isRecalling = false,
): Promise<SelectedView> {
  const { budget, protectedTokens } = fixed.plan
  const wholeTokens = candidates.task?.size.tokens ?? 0
  const taskTokens =
    inputs.policy.trim.order === 'share'
      ? taskTokensWithin(wholeTokens, budget.targetTokens - protectedTokens)
      : wholeTokens
  const takenTokens = addSizes(insertSizes(inputs)).tokens + taskTokens / 2
  const limits = historyLimits(inputs, fixed, { isRecalling, takenTokens })
  const history = await openHistory(inputs, limits, candidates)
  const select = selector(inputs, fixed, candidates, limits)
  // The caller's texts leave before the history block does.
  for (const block of history === null ? [null] : [history, null])
    for (const degraded of degradations(fixed)) {
      const selection = await select(block, degraded)
      if (selection !== null) return selection
    }
  throw contextOverflow(fixed.plan, fixed.sizes, inputs.meter.card.id)
}

interface Attempt {
  /** For the history block: what it will probably have, or what it had in the attempt before. */
  readonly reserved: Size
  /** Its quotes, unless they are reserved. */
  readonly quotes: Quotes | undefined
  /** The share of its limits that the history block may use. */
  readonly share: number
  readonly limitTokens: number
}

const maxAttempts = 8
const maxCorrections = 2
const marginTokens = 8
const overshootTokens = 64
/** A history block that does not fit gets this share of its limits. */
const smallShare = 0.6
/** Less of the target is worth another selection. */
const filledShare = 0.9

/** The result is null if not even the least messages fit. */
function selector(
  inputs: ContextInputs,
  fixed: FixedParts,
  candidates: Candidates,
  limits: HistoryLimits,
) {
  const { plan } = fixed
  const leastTokens = plan.budget.targetTokens * (sharesRoom(inputs.policy) ? filledShare : 1)
  return async (
    block: History | null,
    degraded: View['degraded'],
  ): Promise<SelectedView | null> => {
    let attempt: Attempt = {
      reserved: sizeOfTokens(block?.expectedTokens ?? 0),
      quotes: block?.quotes,
      share: 1,
      limitTokens: plan.limitTokens,
    }
    let best: SelectedView | null = null
    let corrections = 0
    for (let attempts = 1; attempts <= maxAttempts; attempts += 1) {
      const tried = await selectOnce(inputs, fixed, candidates, {
        ...{ attempt, block, degraded },
        summaryTokens: block === null ? 0 : Math.floor(limits.modelSummaryTokens * attempt.share),
      })
      if (tried === null) return best
      const { selection, blockSize, roomTokens, estimateTokens, filledTokens } = tried
      const excess = plan.tokensAgainstLimit(selection.shown.size) - plan.limitTokens
      const reducedLimit = (attemptsMade: number, isByBlock: boolean) => {
        // The last attempt selects as little as possible.
        if (attemptsMade === maxAttempts - 1) return 0
        if (isByBlock && attemptsMade === 1) return plan.limitTokens
        // Reduce from the selection's own estimate, which may be far below the rendered size.
        return Math.min(attempt.limitTokens, estimateTokens) - excess - marginTokens
      }
      if (excess > 0) {
        attempt = {
          // A block that was larger than expected gets its room; after that, it gets less.
          reserved:
            block === null ? blockSize : addSizes([blockSize, sizeOfTokens(overshootTokens)]),
          quotes: undefined,
          share: attempts === 1 ? 1 : smallShare,
          limitTokens: reducedLimit(attempts, blockSize.tokens > roomTokens),
        }
        continue
      }
      if (best === null || selection.shown.size.tokens > best.shown.size.tokens) best = selection
      // A first compaction may have little to describe.
      const leavesRoom = filledTokens < leastTokens && blockSize.tokens < roomTokens
      if (!leavesRoom || corrections === maxCorrections) return best
      corrections += 1
      attempt = { ...attempt, reserved: blockSize, quotes: undefined }
    }
    return best
  }
}

/** Null if the selection is too large already, without the history block. */
async function selectOnce(
  inputs: ContextInputs,
  fixed: FixedParts,
  candidates: Candidates,
  {
    attempt,
    block,
    degraded,
    summaryTokens,
  }: Pick<SelectedView, 'degraded' | 'summaryTokens'> & {
    readonly attempt: Attempt
    readonly block: History | null
  },
) {
  const { plan } = fixed
  const { reserved, share } = attempt
  const reduced = degrade(inputs, fixed, degraded)
  const started = selectMessages(reduced.input, reduced.fixed, candidates, attempt)
  const estimateTokens = plan.tokensAgainstLimit(started.selected.size)
  if (estimateTokens > plan.limitTokens) return null
  const roomTokens = addSizes([reserved, started.quoted]).tokens
  const renderBlock = blockRenderer(fixed, candidates, block, share)
  const rendered = await renderBlock(started.selected)
  const view = { line: started.selected.line, history: rendered.history }
  const blockSize = historySize(view, inputs.meter)
  const selected = started.finish({ before: reserved, after: blockSize })
  // Stubs may have grown until every message is whole: then the block describes nothing.
  const described = hidesNothing(selected) ? noBlock : rendered
  const shownBy = { ...described, fixed, candidates, selected, degraded, summaryTokens }
  const shown = renderDegraded(inputs, shownBy, { ...selected, history: described.history })
  const selection = { ...shownBy, shown, summaryOutcome: null, superseded: false }
  return {
    selection: withSummaryRendering(inputs, selection, renderBlock),
    blockSize,
    roomTokens,
    estimateTokens,
    // Longer stubs say less than more messages do.
    filledTokens: sharesRoom(inputs.policy)
      ? started.selected.size.tokens - roomTokens + blockSize.tokens
      : shown.size.tokens,
  }
}

type RenderBlock = (
  selected: SelectedMessages,
  written?: SummaryRecord,
) => ReturnType<History['render']>

function blockRenderer(
  { pinned }: FixedParts,
  candidates: Candidates,
  block: History | null,
  share: number,
): RenderBlock {
  return async (selected, written) => {
    if (block === null) return noBlock
    const messages = [
      ...pinned.map(({ parts }) => ({ seq: null, parts })),
      ...wholeMessages(candidates, selected),
      ...selected.stubs,
    ]
    return block.render({ selected, messages }, share, written)
  }
}

/** Adds the function that puts a new summary into the history block. */
function withSummaryRendering(
  inputs: ContextInputs,
  selection: Omit<SelectedView, 'withSummary'>,
  renderBlock: RenderBlock,
): SelectedView {
  const { plan } = selection.fixed
  const whole: SelectedView = {
    ...selection,
    withSummary: async (record) => {
      const rendered = await renderBlock(selection.selected, record)
      const view = { ...selection.selected, history: rendered.history }
      const shown = renderDegraded(inputs, selection, view)
      const fits = plan.tokensAgainstLimit(shown.size) <= plan.limitTokens
      return fits ? { ...whole, shown, ...rendered } : null
    },
  }
  return whole
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
  return tokens === 0 ? noSize : { tokens: Math.ceil(tokens), wire: Math.ceil(tokens * wireRatio) }
}

// JSON escapes line breaks and quotes.
const wireRatio = 1.15

function historySize(view: Pick<View, 'line' | 'history'>, meter: Meter): Size {
  const blocks = Object.values(historyMessages(view)).flat()
  return addSizes(blocks.map((message) => meter.closeSize(message)))
}
