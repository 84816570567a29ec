/**
 * The line between turns: half a turn reads as an answer without its question.
 *
 * A turn that the line has cut is shown whole where there is room for the rest of it, or
 * left out whole where enough is shown without it. A turn too large for either stays cut
 * between its steps, and what opened it is kept; so it is with the running turn anyway.
 */
import type { SelectionGoal } from './select-options.ts'
import type { Selection } from './selection.ts'

export function showWholeTurns(selection: Selection, goal: SelectionGoal): void {
  const cut = cutTurn(selection)
  if (cut === null || takeBackTo(selection, cut.opening, goal)) return
  if (cut.to <= goal.tail && isEnoughFrom(selection, cut.to, goal)) {
    while (selection.firstUnit < cut.to) selection.leaveOutOldest()
    return
  }
  const undo = selection.keepOpening(cut.opening, goal.stubTokens)
  if (!isWithin(selection, goal)) undo()
}

interface CutTurn {
  /** The unit that opened it. */
  readonly opening: number
  /** The unit behind it. */
  readonly to: number
}

function cutTurn({ units, firstUnit }: Selection): CutTurn | null {
  const first = units[firstUnit]
  if (first === undefined || first.opening || first.running) return null
  const opening = units.findLastIndex(
    ({ opening, turn }, index) => index < firstUnit && opening && turn === first.turn,
  )
  const to = units.findIndex(({ turn }) => turn > first.turn)
  return opening === -1 || to === -1 ? null : { opening, to }
}

function takeBackTo(selection: Selection, opening: number, goal: SelectionGoal): boolean {
  const undone: (() => void)[] = []
  while (selection.firstUnit > opening && isWithin(selection, goal)) {
    const undo = selection.takeBack()
    if (undo === null) break
    undone.push(undo)
  }
  if (selection.firstUnit === opening && isWithin(selection, goal)) return true
  for (const undo of undone.reverse()) undo()
  return false
}

/** We end near the goal, and a turn that is read as a whole is worth a little more than it. */
function isWithin({ total }: Selection, { limits, goalTokens, goalHard }: SelectionGoal): boolean {
  const tokens = goalTokens + limits.availableTokens * aboveGoal
  const hardTokens = Math.min(goalHard + limits.hardTokens * aboveGoal, limits.hardTokens)
  return total.tokens <= tokens && limits.hard(total) <= hardTokens
}

const aboveGoal = 0.03

function isEnoughFrom(selection: Selection, to: number, { limits }: SelectionGoal): boolean {
  const leaving = selection.units.slice(selection.firstUnit, to)
  const tokens = leaving.reduce((sum, unit) => sum + selection.tokensOf(unit), 0)
  return selection.total.tokens - tokens >= limits.targetTokens
}
