/**
 * Messages and a budget in, what is shown of them out. Pure.
 *
 * Down to the goal, the least valuable by the policy's rules is shortened first, oldest first;
 * then whole units
 * leave from the line on. The tail shrinks only where that is not enough, and only its smallest
 * form is shortened,
 * down to a note for each message (invariant 6).
 *
 * A message that would take us below the goal keeps as much as fits. The line lies between turns
 * where it can.
 */
import { defaults } from '../../defaults-data.ts'
import { addSizes, type Size } from '../../domain/context.ts'
import type { Candidates, SelectedMessages } from '../project/records.ts'
import {
  assertTiled,
  noteTokens,
  type SelectionGoal,
  type SelectOptions,
  targetTolerance,
} from './select-options.ts'
import { capGiants, capOversized, leaveOutUntilFit, shrinkToFit } from './select-recent.ts'
import { indexesOf, Selection, type Unit } from './selection.ts'
import { halvedTail, initialTail, showWholeTurns } from './tail.ts'

export function select(loaded: Candidates, options: SelectOptions): SelectedMessages {
  const selection = new Selection(loaded, options.fixed, options.meter, options.ranked.tracked)
  const { units } = selection
  const first = goalFor(selection, wantedTail(selection, options), options)
  capOversized(selection, first)
  let goal = goalFor(selection, first.tail, options)
  // Down to the goal with what is older than the tail: shortened by the rules, then left out.
  const approachGoal = () => {
    leaveOutUnfittable(selection, goal)
    shortenOld(selection, goal)
    leaveOutOld(selection, goal)
  }
  approachGoal()
  capGiants(selection, goal)
  leaveOutUntilFit(selection, goal.tail, goal)
  while (selection.firstUnit >= goal.tail && tokensAboveGoal(selection, null, goal) > 0) {
    const tail = halvedTail(units, goal.tail)
    if (tail === null) break
    goal = goalFor(selection, tail, options)
    approachGoal()
    leaveOutUntilFit(selection, goal.tail, goal)
  }
  capKept(selection, options)
  shrinkToFit(selection, goal)
  restoreUnits(selection, options)
  showWholeTurns(selection, goal)
  lengthenStubs(selection, options)
  const { selected } = selection
  assertTiled(loaded, selected, options.fixed)
  return selected
}

/** A long task is kept as far as there is room for what users said. */
function capKept(selection: Selection, { keptTokens }: SelectOptions): void {
  const { kept } = selection
  if (keptTokens === undefined || kept.length === 0) return
  for (const at of kept)
    if (selection.sizeOf(at).tokens > keptTokens / kept.length)
      selection.shorten(at, keptTokens / kept.length)
}

const tailShare = 0.5
const shareBesideTail = 0.1
const fullShare = 0.95
// Where JSON outweighs the text, an epoch must not begin at the edge.
const limitShare = 0.75

/** What the policy asks for, unless that fills half of the target. */
function wantedTail(
  selection: Selection,
  { limits, fixed, historyTokens = 0, keepRecent }: SelectOptions,
): number {
  const room = limits.targetTokens - fixed.tokens + historyTokens
  return initialTail(selection, keepRecent, room * tailShare)
}

/** A large tail does not use up what older messages have to be understood by. */
function goalFor(selection: Selection, tail: number, options: SelectOptions): SelectionGoal {
  const { fixed, limits } = options
  const indexes = selection.units.slice(tail).flatMap(indexesOf)
  const tailSize = addSizes([fixed, ...indexes.map((at) => selection.sizeOf(at))])
  const besideTail = (limits.availableTokens - fixed.tokens) * shareBesideTail
  const withTail = Math.min(limits.availableTokens * fullShare, tailSize.tokens + besideTail)
  const limitWithTail = Math.min(
    limits.limitTokens * fullShare,
    limits.limitSize(tailSize) + limits.limitTokens * shareBesideTail,
  )
  return {
    ...options,
    tail,
    goalTokens: Math.max(limits.targetTokens * targetTolerance, withTail),
    goalLimitTokens: Math.max(
      limits.limitTokens * limitShare,
      Math.min(limits.limitTokens, limits.targetTokens * targetTolerance),
      limitWithTail,
    ),
  }
}

/** By how many tokens we are above the goal, in whichever measure that is more. */
function tokensAboveGoal(selection: Selection, at: number | null, goal: SelectionGoal): number {
  const { total } = selection
  const { limitSize } = goal.limits
  const overHard = limitSize(total) - goal.goalLimitTokens
  const size = at === null ? total : selection.sizeOf(at)
  const tokensPerHard = size.tokens / Math.max(1, limitSize(size))
  return Math.max(total.tokens - goal.goalTokens, overHard * tokensPerHard)
}

/** What would have to leave though everything old were short already is not shortened first. */
function leaveOutUnfittable(selection: Selection, goal: SelectionGoal): void {
  const leastOf = (at: number) => {
    const { tokens } = selection.sizeOf(at)
    return mayShorten(selection, at, goal) ? Math.min(tokens, goal.stubTokens) : tokens
  }
  const least = (unit: Unit) => indexesOf(unit).reduce((sum, at) => sum + leastOf(at), 0)
  const old = selection.units.slice(selection.firstUnit, goal.tail)
  let tokens = selection.total.tokens
  for (const unit of old) tokens -= selection.tokensOf(unit) - least(unit)
  for (const unit of old) {
    tokens -= least(unit)
    if (tokens < goal.goalTokens || (unit.opensTurn && unit.inCurrentTurn)) return
    selection.leaveOutOldest()
  }
}

function mayShorten(selection: Selection, at: number, { ranked }: SelectionGoal): boolean {
  return ranked.order.mayShorten(at, selection.candidate(at)?.size.tokens ?? 0)
}

function shortenOld(selection: Selection, goal: SelectionGoal): void {
  const old = selection.units.slice(selection.firstUnit, goal.tail).flatMap(indexesOf)
  const open = old.filter((at) => mayShorten(selection, at, goal))
  for (const at of goal.ranked.order.sort(open)) {
    if (tokensAboveGoal(selection, null, goal) <= 0) return
    shortenTo(selection, at, goal)
  }
}

/** As short as stubs are, or longer where that would take us below the goal. */
function shortenTo(selection: Selection, at: number, goal: SelectionGoal): void {
  // A stub that saves less is not made, and then something would have to leave as a whole.
  const above = Math.max(tokensAboveGoal(selection, at, goal), defaults.stubLeastSavingTokens.value)
  const spare = selection.sizeOf(at).tokens - above
  selection.shorten(at, Math.max(goal.stubTokens, spare - frameTokens))
}

// The frame of a message, and the note. What is too short by that grows again in the end.
const frameTokens = 40

function leaveOutOld(selection: Selection, goal: SelectionGoal): void {
  while (selection.firstUnit < goal.tail && tokensAboveGoal(selection, null, goal) > 0) {
    const unit = selection.units[selection.firstUnit]
    if (unit === undefined) return
    const task = unit.opensTurn && unit.inCurrentTurn
    const isMore = selection.tokensOf(unit) > tokensAboveGoal(selection, unit.from, goal)
    if (!task && isMore && !fitsHistoryBlock(selection, unit, goal)) {
      for (const at of indexesOf(unit)) shortenTo(selection, at, goal)
      return
    }
    selection.leaveOutOldest()
  }
}

/** User messages that fit into the history block are not cut to fill up a request. */
function fitsHistoryBlock(
  selection: Selection,
  unit: Unit,
  { keptTokens = 0 }: SelectionGoal,
): boolean {
  const isSaid = indexesOf(unit).every((at) => selection.candidate(at)?.message.role === 'user')
  return isSaid && selection.tokensOf(unit) <= keptTokens * historyShare
}

const historyShare = 0.25

/**
 * What gave way to something large that was then shortened has room again: units first, then
 * longer stubs.
 */
function restoreUnits(selection: Selection, options: SelectOptions): void {
  const { limits, stubTokens } = options
  const fits = fitsRefill(options)
  while (selection.total.tokens < limits.targetTokens) {
    const undo = selection.restoreUnit()
    if (undo === null) break
    const indexes = indexesOf(selection.units[selection.firstUnit] ?? { from: 0, to: 0 })
    for (const keep of [stubTokens, 0])
      for (const at of indexes) if (!fits(selection.total)) selection.shorten(at, keep, 1)
    if (!fits(selection.total)) selection.collapseUnit(selection.firstUnit, 0)
    if (fits(selection.total)) continue
    undo()
    break
  }
}

function lengthenStubs(selection: Selection, options: SelectOptions): void {
  const { limits } = options
  const goal = limits.targetTokens * targetTolerance
  const fits = fitsRefill(options)
  for (const index of selection.collapsedUnits) growCollapsed(selection, index, goal, fits)
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

function fitsRefill({ limits }: SelectOptions): (total: Size) => boolean {
  const most = limits.refillTokens ?? limits.limitTokens
  return (total) => limits.limitSize(total) <= most
}

function growCollapsed(
  selection: Selection,
  index: number,
  goal: number,
  fits: (total: Size) => boolean,
): void {
  const spare = goal - selection.total.tokens
  for (const share of [1, 0.6, 0.3, 0]) {
    if (spare * share < noteTokens && share > 0) continue
    selection.collapseUnit(index, spare * share)
    if (fits(selection.total)) return
  }
}
