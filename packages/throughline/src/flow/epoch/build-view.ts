/** The view of an epoch that begins: the one that stands, where nothing of it would be otherwise, or a new one. */

import type { EpochCause } from '../../domain/epoch-cause.ts'
import type { Seq } from '../../domain/ids.ts'
import type { Insert } from '../../domain/insert.ts'
import type { Message } from '../../domain/message.ts'
import type { View } from '../../domain/view.ts'
import { basisText, changedBasis } from '../project/basis.ts'
import type { Candidates } from '../project/records.ts'
import {
  type ContextInputs,
  type FixedParts,
  nothingNew,
  type ViewOutcome,
} from '../project/records.ts'
import { type Kept, renderSelected, type Shows, withNextApart } from '../project/render-view.ts'
import { openQuestion } from '../recall/recall-for-turn.ts'
import { renderSqueezed } from './select-with-past.ts'
import type { Summarized } from './summarize.ts'

type Begun = Kept & Pick<View, 'squeezed'>

/** Null where another view has to begin. */
export function viewThatStays(
  input: ContextInputs,
  held: FixedParts,
  { selection, written, overtaken }: Summarized,
  /** Of the view that stands. */
  inserts: readonly Insert[],
): ViewOutcome | null {
  const { view } = input
  const { selected, past } = selection
  const isTold = (past?.written?.id ?? null) === (view?.past?.written?.id ?? null)
  if (view === null || !isTold || changedBasis(view, input.basis) !== null) return null
  if (!isSame(view, inLog(input, selection))) return null
  const showWith = (shown: readonly Insert[]) =>
    renderSqueezed({ ...input, inserts: shown }, held, selection, { ...selected, past: view.past })
  const shown = showWith(inserts)
  if (held.plan.hard(shown.size) > held.plan.hardTokens) return null
  const { epoch } = view
  return { ...nothingNew, shown, showWith, view, epoch, began: null, written, overtaken }
}

export function newView(
  input: ContextInputs,
  held: FixedParts,
  { selection, written, overtaken }: Summarized,
  { cause, isReady }: { readonly cause: EpochCause; readonly isReady: boolean },
): ViewOutcome {
  const { shown, selected, past, facts, summary } = selection
  const epoch = Math.max(input.view?.epoch ?? 0, input.last?.epoch ?? 0) + 1
  const basis = basisText(input.basis)
  // What is above the target came meanwhile, and can become less with the next summary.
  const { tokens } = shown.size
  const beganTokens = isReady ? Math.min(tokens, held.plan.budget.targetTokens) : tokens
  const view: View = { epoch, cause, ...inLog(input, selection), past, basis, beganTokens }
  const showWith = (inserts: readonly Insert[]) =>
    renderSqueezed({ ...input, inserts }, held, selection, { ...selected, past })
  const inserts = input.inserts.map((insert) => ({ ...insert, epoch, opens: true }))
  const begun = { shown, showWith, view, epoch, began: cause, inserts }
  return { ...begun, facts, summary, written, overtaken }
}

function inLog(
  input: ContextInputs,
  { selected, squeezed }: Summarized['selection'],
): ReturnType<typeof withNextApart> & Pick<View, 'squeezed'> {
  return { ...withNextApart(selected, input), squeezed }
}

function isSame(view: View, { line, keeps, stubs, next, squeezed }: Begun): boolean {
  return (
    view.line === line &&
    view.squeezed === squeezed &&
    JSON.stringify([view.keeps, view.stubs, view.next]) === JSON.stringify([keeps, stubs, next])
  )
}

/** What was recalled for the turn that goes on is taken over; a new question has its own. */
export function withInsertsOf(input: ContextInputs, question: Message | null): ContextInputs {
  return { ...input, inserts: question === null ? input.inserts.slice(-1) : [] }
}

/**
 * The beginning of an epoch in which every message is shown that no context extension describes: there is a
 * line, and so there is a view, though nothing had to go.
 */
export async function startAfterCovered(
  input: ContextInputs,
  held: FixedParts,
  considered: Candidates,
  cause: EpochCause,
): Promise<ViewOutcome> {
  const carried = withInsertsOf(input, await openQuestion(input))
  const shows = allFrom(input.coveredTo)
  const showWith = (inserts: readonly Insert[]) =>
    renderSelected({ ...carried, inserts }, held, { ...considered, task: null }, shows)
  const { view: before, last } = input
  if (before !== null && isInForce(before, shows, input)) {
    const shown = showWith(input.inserts)
    return { ...nothingNew, shown, showWith, view: before, epoch: before.epoch, began: null }
  }
  const epoch = Math.max(before?.epoch ?? 0, last?.epoch ?? 0) + 1
  const shown = showWith(carried.inserts)
  const basis = basisText(input.basis)
  const view: View = { epoch, cause, ...shows, basis, beganTokens: shown.size.tokens }
  const inserts = carried.inserts.map((insert) => ({ ...insert, epoch, opens: true }))
  return { ...nothingNew, shown, showWith, view, epoch, began: cause, inserts }
}

type WholeFrom = Shows & Pick<View, 'next' | 'squeezed'>

/** Everything from a place on, whole. */
export function allFrom(line: Seq): WholeFrom {
  return { line, keeps: [], stubs: [], past: null, next: null, squeezed: null }
}

function isInForce(view: View, shows: WholeFrom, { basis }: ContextInputs): boolean {
  return view.past === null && changedBasis(view, basis) === null && isSame(view, shows)
}
