/** Builds the view from a selection, or keeps the current one if nothing would change. */
import type { EpochCause } from '../../domain/decision.ts'
import type { Insert, View } from '../../domain/view.ts'
import { changedBasis } from '../project/basis.ts'
import {
  type Candidates,
  type ContextInputs,
  type FixedParts,
  noChanges,
  type RenderedRequest,
  type SelectedView,
  type ViewOutcome,
} from '../project/records.ts'
import { renderSelected, splitNextMessage } from '../project/render-view.ts'
import { fullView } from '../project/whole-log.ts'
import { renderDegraded } from './select-with-history.ts'

/** `epochStart.inserts` belong to the current view, `inputs.inserts` to the epoch that starts. */
export function buildView(
  inputs: ContextInputs,
  selection: SelectedView,
  epochStart: {
    readonly cause: EpochCause
    readonly inserts: readonly Insert[]
    /** The view starts where a summary ends that was written in the background. */
    readonly startsAtSummary: boolean
  },
): ViewOutcome {
  const { cause, inserts, startsAtSummary } = epochStart
  const { fixed, shown, selected, degraded, history, facts, summary, summaryOutcome, superseded } =
    selection
  const { plan } = fixed
  const kept = { ...splitNextMessage(selected, inputs), degraded }
  const rendererWith = (block: View['history']) => (recalled: readonly Insert[]) =>
    renderDegraded({ ...inputs, inserts: recalled }, selection, { ...selected, history: block })
  const before = inputs.view
  const hasSameSummary = (history?.written?.id ?? null) === (before?.history?.written?.id ?? null)
  if (before !== null && hasSameSummary && isInForce(before, kept, inputs)) {
    const renderWith = rendererWith(before.history)
    const same = renderWith(inserts)
    if (plan.tokensAgainstLimit(same.size) <= plan.limitTokens)
      return { ...keepView(before, same), renderWith, summaryOutcome, superseded }
  }
  // Messages above the target came while the summary was written; the next summary can cover them.
  const { tokens } = shown.size
  const beganTokens = startsAtSummary ? Math.min(tokens, plan.budget.targetTokens) : tokens
  const started = startEpoch(inputs, { ...kept, history, cause, beganTokens })
  const renderWith = rendererWith(history)
  return { ...started, shown, renderWith, facts, summary, summaryOutcome, superseded }
}

/** All other messages fit, but the view must exclude those that the extension describes. */
export function buildViewAfterCovered(
  inputs: ContextInputs,
  fixed: FixedParts,
  candidates: Candidates,
  { cause, inserts }: { readonly cause: EpochCause; readonly inserts: readonly Insert[] },
): ViewOutcome {
  const kept = { ...fullView, line: inputs.coveredTo }
  const renderWith = (recalled: readonly Insert[]) =>
    renderSelected({ ...inputs, inserts: recalled }, fixed, { ...candidates, task: null }, kept)
  const before = inputs.view
  if (before !== null && before.history === null && isInForce(before, kept, inputs))
    return { ...keepView(before, renderWith(inserts)), renderWith }
  const shown = renderWith(inputs.inserts)
  const started = startEpoch(inputs, { ...kept, cause, beganTokens: shown.size.tokens })
  return { ...noChanges, ...started, shown, renderWith }
}

type NewView = Omit<View, 'epoch' | 'basis'>

function startEpoch(
  { view: before, lastRequest, basis, inserts }: ContextInputs,
  newView: NewView,
): Pick<ViewOutcome, 'view' | 'epoch' | 'epochCause' | 'inserts'> {
  const epoch = Math.max(before?.epoch ?? 0, lastRequest?.epoch ?? 0) + 1
  return {
    view: { ...newView, epoch, basis },
    epoch,
    epochCause: newView.cause,
    inserts: inserts.map((insert) => ({ ...insert, epoch, opens: true })),
  }
}

function keepView(view: View, shown: RenderedRequest): ViewOutcome {
  return { ...noChanges, shown, view, epoch: view.epoch, epochCause: null }
}

function isInForce(
  view: View,
  { line, keeps, stubs, next, degraded }: Omit<NewView, 'history' | 'cause' | 'beganTokens'>,
  { basis }: ContextInputs,
): boolean {
  return (
    changedBasis(view, basis) === null &&
    view.line === line &&
    view.degraded === degraded &&
    JSON.stringify([view.keeps, view.stubs, view.next]) === JSON.stringify([keeps, stubs, next])
  )
}
