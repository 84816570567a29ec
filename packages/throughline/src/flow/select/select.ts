/**
 * Stage 4 of 8: select. Messages and a budget in, what is shown of them out. Pure.
 *
 * Down to the goal: what the policy's rules hold worth least is shortened first, the
 * oldest of it before the rest; then whole units leave from the line on. The newest
 * messages, the tail, are not touched for that. Where the request is still too large, the
 * tail becomes smaller, and only where the smallest does not fit either is something of it
 * shortened, down to a note in place of each (invariant 6).
 *
 * Nothing is emptied to be safe: a message that would take us below the goal keeps as
 * much as there is room for. The line comes to lie between turns where it can.
 */
import { addSizes } from '../../domain/size.ts'
import { assertTiled } from './assert-tiled.ts'
import { firstTail } from './first-tail.ts'
import { capGiants, capHopeless, leaveOutUntilFit, shrinkToFit } from './select-fit.ts'
import { aboveGoal, approachGoal } from './select-old.ts'
import { aboveTarget, type SelectionGoal, type SelectOptions } from './select-options.ts'
import { type Considered, indexesOf, type Selected, Selection } from './selection.ts'
import { lengthenStubs, takeBackUnits } from './show-more.ts'
import { halvedTail } from './tail.ts'
import { showWholeTurns } from './whole-turns.ts'

export function select(considered: Considered, options: SelectOptions): Selected {
  const selection = new Selection(considered, options.fixed, options.meter, options.judged.tracked)
  const { units } = selection
  const first = goalFor(selection, wantedTail(selection, options), options)
  capHopeless(selection, first)
  let goal = goalFor(selection, first.tail, options)
  approachGoal(selection, goal)
  capGiants(selection, goal)
  leaveOutUntilFit(selection, goal.tail, goal)
  while (selection.firstUnit >= goal.tail && aboveGoal(selection, null, goal) > 0) {
    const tail = halvedTail(units, goal.tail)
    if (tail === null) break
    goal = goalFor(selection, tail, options)
    approachGoal(selection, goal)
    leaveOutUntilFit(selection, goal.tail, goal)
  }
  capKept(selection, options)
  shrinkToFit(selection, goal)
  takeBackUnits(selection, options)
  showWholeTurns(selection, goal)
  lengthenStubs(selection, options)
  const { selected } = selection
  assertTiled(considered, selected, options.fixed)
  return selected
}

/** A long task is told as far as there is room for what users said. */
function capKept(selection: Selection, { keptTokens }: SelectOptions): void {
  const { kept } = selection
  if (keptTokens === undefined || kept.length === 0) return
  for (const at of kept)
    if (selection.sizeOf(at).tokens > keptTokens / kept.length)
      selection.shorten(at, keptTokens / kept.length)
}

const tailShare = 0.5
const besidesTail = 0.1
const nearlyFull = 0.95
// Where JSON outweighs the text, an epoch must not begin at the edge.
const hardShare = 0.75

/** What the policy asks for, unless that fills half of the target. */
function wantedTail(
  selection: Selection,
  { limits, fixed, pastTokens = 0, keepRecent }: SelectOptions,
): number {
  const room = limits.targetTokens - fixed.tokens + pastTokens
  return firstTail(selection, keepRecent, room * tailShare)
}

/** A large tail does not use up what older messages have to be understood by. */
function goalFor(selection: Selection, tail: number, options: SelectOptions): SelectionGoal {
  const { fixed, limits } = options
  const indexes = selection.units.slice(tail).flatMap(indexesOf)
  const held = addSizes([fixed, ...indexes.map((at) => selection.sizeOf(at))])
  const besides = (limits.availableTokens - fixed.tokens) * besidesTail
  const withTail = Math.min(limits.availableTokens * nearlyFull, held.tokens + besides)
  const hardWithTail = Math.min(
    limits.hardTokens * nearlyFull,
    limits.hard(held) + limits.hardTokens * besidesTail,
  )
  return {
    ...options,
    tail,
    goalTokens: Math.max(limits.targetTokens * aboveTarget, withTail),
    goalHard: Math.max(
      limits.hardTokens * hardShare,
      Math.min(limits.hardTokens, limits.targetTokens * aboveTarget),
      hardWithTail,
    ),
  }
}
