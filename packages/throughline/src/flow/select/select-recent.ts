/**
 * SelectedWithPast for policies that keep only the newest messages: everything before the tail
 * leaves, however much room there would be, and nothing is shortened as long as the tail fits.
 * Where it is too much, half of it stays, and half of that, down to a question and its answer.
 */
import { addSizes } from '../../domain/size.ts'
import { assertTiled } from './assert-tiled.ts'
import { firstTail } from './first-tail.ts'
import { capGiants, capHopeless, leaveOutUntilFit, shrinkToFit } from './select-fit.ts'
import type { SelectionGoal, SelectOptions } from './select-options.ts'
import { type Considered, indexesOf, type Selected, Selection } from './selection.ts'
import { halvedTail } from './tail.ts'

export function selectRecent(considered: Considered, options: SelectOptions): Selected {
  const selection = new Selection(considered, options.fixed, options.meter, options.judged.tracked)
  const first = firstTail(selection, options.keepRecent, options.limits.availableTokens)
  let tail = wholeTurn(selection, first, options)
  while (isTooMuch(selection, tail, options)) {
    const half = halvedTail(selection.units, tail)
    if (half === null) break
    tail = half
  }
  while (selection.firstUnit < tail) selection.leaveOutOldest()
  const goal: SelectionGoal = {
    ...options,
    tail,
    goalTokens: options.limits.availableTokens,
    goalHard: options.limits.hardTokens,
  }
  capHopeless(selection, goal)
  capGiants(selection, goal)
  leaveOutUntilFit(selection, tail, goal)
  shrinkToFit(selection, goal)
  const { selected } = selection
  assertTiled(considered, selected, options.fixed)
  return selected
}

/** An answer without its question reads as nothing; what opened the running turn is kept anyway. */
function wholeTurn(selection: Selection, tail: number, options: SelectOptions): number {
  const { units } = selection
  const first = units[tail]
  if (first === undefined || first.opening || first.running) return tail
  const opening = units.findLastIndex(
    (unit, index) => index < tail && unit.opening && unit.turn === first.turn,
  )
  return opening === -1 || isTooMuch(selection, opening, options) ? tail : opening
}

function isTooMuch(selection: Selection, tail: number, options: SelectOptions): boolean {
  const { fixed, limits } = options
  const indexes = selection.units.slice(tail).flatMap(indexesOf)
  const size = addSizes([fixed, ...indexes.map((at) => selection.sizeOf(at))])
  const mostTokens = limits.triggerTokens ?? limits.availableTokens
  return size.tokens >= mostTokens || limits.hard(size) > limits.hardTokens
}
