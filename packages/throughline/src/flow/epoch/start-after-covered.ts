/**
 * The beginning of an epoch in which every message is shown that no context extension describes: there is a
 * line, and so there is a view, though nothing had to go.
 */
import type { EpochCause } from '../../domain/epoch-cause.ts'
import type { Seq } from '../../domain/ids.ts'
import type { Insert } from '../../domain/insert.ts'
import type { View } from '../../domain/view.ts'
import { basisText, changedBasis } from '../project/basis.ts'
import { type Chosen, type Held, nothingNew, type Projecting } from '../project/projecting.ts'
import type { Shows } from '../project/show-view.ts'
import { openQuestion } from '../recall/recall-for-turn.ts'
import type { Considered } from '../select/selection.ts'
import { showSelected } from '../select/show-selected.ts'
import { isSame, withInsertsOf } from './begun-view.ts'

export async function startAfterCovered(
  input: Projecting,
  held: Held,
  considered: Considered,
  cause: EpochCause,
): Promise<Chosen> {
  const carried = withInsertsOf(input, await openQuestion(input))
  const shows = allFrom(input.coveredTo)
  const showWith = (inserts: readonly Insert[]) =>
    showSelected({ ...carried, inserts }, held, { ...considered, task: null }, shows)
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

function isInForce(view: View, shows: WholeFrom, { basis }: Projecting): boolean {
  return view.past === null && changedBasis(view, basis) === null && isSame(view, shows)
}
