/**
 * What was shortened or left out for something large that then had to be shortened itself
 * has room again: units first, as short as they can be, then longer stubs.
 */
import type { Size } from '../../domain/size.ts'
import { aboveTarget, noteTokens, type SelectOptions } from './select-options.ts'
import { indexesOf, type Selection } from './selection.ts'

export function takeBackUnits(selection: Selection, options: SelectOptions): void {
  const { limits, stubTokens } = options
  const fits = fitting(options)
  while (selection.total.tokens < limits.targetTokens) {
    const undo = selection.takeBack()
    if (undo === null) break
    const indexes = indexesOf(selection.units[selection.firstUnit] ?? { from: 0, to: 0 })
    for (const keep of [stubTokens, 0])
      for (const at of indexes) if (!fits(selection.total)) selection.shorten(at, keep, 1)
    if (!fits(selection.total)) selection.note(selection.firstUnit, 0)
    if (fits(selection.total)) continue
    undo()
    break
  }
}

export function lengthenStubs(selection: Selection, options: SelectOptions): void {
  const { limits } = options
  const goal = limits.targetTokens * aboveTarget
  const fits = fitting(options)
  for (const index of selection.noted) tellMore(selection, index, goal, fits)
  for (const at of selection.stubbed) {
    const spare = goal - selection.total.tokens
    if (spare < noteTokens) return
    const tokens = selection.sizeOf(at).tokens
    for (const share of [1, 0.7, 0.4])
      if (selection.lengthen(at, tokens + spare * share, fits)) break
    // What goes as a whole comes back as a whole.
    if (selection.total.tokens < limits.targetTokens)
      selection.lengthen(at, limits.availableTokens, fits)
  }
}

function fitting({ limits }: SelectOptions): (total: Size) => boolean {
  const most = limits.filledTokens ?? limits.hardTokens
  return (total) => limits.hard(total) <= most
}

/** What little was said of a unit is told at more length. */
function tellMore(
  selection: Selection,
  index: number,
  goal: number,
  fits: (total: Size) => boolean,
): void {
  const spare = goal - selection.total.tokens
  for (const share of [1, 0.6, 0.3, 0]) {
    if (spare * share < noteTokens && share > 0) continue
    selection.note(index, spare * share)
    if (fits(selection.total)) return
  }
}
