import type { EpochCause } from '../../domain/decision.ts'
import type { Insert, View } from '../../domain/view.ts'
import { everything } from '../decide/evaluate-view.ts'
import { changedBasis } from '../project/basis.ts'
import {
  type Candidates,
  type ContextInputs,
  type FixedParts,
  nothingNew,
  type RenderedRequest,
  type SelectedView,
  type ViewOutcome,
} from '../project/records.ts'
import { renderSelected, withNextApart } from '../project/render-view.ts'
import { renderDegraded } from './select-with-past.ts'

/** `inserts` are of the view in force; those of the inputs are of the epoch that begins. */
export function buildView(
  inputs: ContextInputs,
  selection: SelectedView,
  made: { readonly cause: EpochCause; readonly inserts: readonly Insert[]; isReady: boolean },
): ViewOutcome {
  const { cause, inserts, isReady } = made
  const { fixed, shown, selected, degraded, past, facts, summary, written, superseded } = selection
  const { plan } = fixed
  const kept = { ...withNextApart(selected, inputs), degraded }
  const renderWith = (block: View['past']) => (recalled: readonly Insert[]) =>
    renderDegraded({ ...inputs, inserts: recalled }, selection, { ...selected, past: block })
  const before = inputs.view
  const isSummarized = (past?.written?.id ?? null) === (before?.past?.written?.id ?? null)
  if (before !== null && isSummarized && isInForce(before, kept, inputs)) {
    const showWith = renderWith(before.past)
    const same = showWith(inserts)
    if (plan.hard(same.size) <= plan.hardTokens)
      return { ...standing(before, same), showWith, written, superseded }
  }
  // What is above the target came meanwhile, and can become less with the next summary.
  const { tokens } = shown.size
  const beganTokens = isReady ? Math.min(tokens, plan.budget.targetTokens) : tokens
  const begun = begin(inputs, { ...kept, past, cause, beganTokens })
  return { ...begun, shown, showWith: renderWith(past), facts, summary, written, superseded }
}

/** The extension describes the messages before the line, so there is a view, though nothing had to go. */
export function buildViewAfterCovered(
  inputs: ContextInputs,
  fixed: FixedParts,
  candidates: Candidates,
  { cause, inserts }: { readonly cause: EpochCause; readonly inserts: readonly Insert[] },
): ViewOutcome {
  const kept = { ...everything, line: inputs.coveredTo }
  const showWith = (recalled: readonly Insert[]) =>
    renderSelected({ ...inputs, inserts: recalled }, fixed, { ...candidates, task: null }, kept)
  const before = inputs.view
  if (before !== null && before.past === null && isInForce(before, kept, inputs))
    return { ...standing(before, showWith(inserts)), showWith }
  const shown = showWith(inputs.inserts)
  const begun = begin(inputs, { ...kept, cause, beganTokens: shown.size.tokens })
  return { ...nothingNew, ...begun, shown, showWith }
}

type Made = Omit<View, 'epoch' | 'basis'>

function begin(
  { view: before, last, basis, inserts }: ContextInputs,
  made: Made,
): Pick<ViewOutcome, 'view' | 'epoch' | 'began' | 'inserts'> {
  const epoch = Math.max(before?.epoch ?? 0, last?.epoch ?? 0) + 1
  const { cause, beganTokens, past, ...kept } = made
  return {
    view: { epoch, cause, ...kept, past, basis, beganTokens },
    epoch,
    began: cause,
    inserts: inserts.map((insert) => ({ ...insert, epoch, opens: true })),
  }
}

function standing(view: View, shown: RenderedRequest): ViewOutcome {
  return { ...nothingNew, shown, view, epoch: view.epoch, began: null }
}

function isInForce(
  view: View,
  { line, keeps, stubs, next, degraded }: Omit<Made, 'past' | 'cause' | 'beganTokens'>,
  { basis }: ContextInputs,
): boolean {
  return (
    changedBasis(view, basis) === null &&
    view.line === line &&
    view.degraded === degraded &&
    JSON.stringify([view.keeps, view.stubs, view.next]) === JSON.stringify([keeps, stubs, next])
  )
}
