/**
 * Selects the messages that a view shows within a budget (`fill: 'target'`). Pure.
 *
 * It shortens the least valuable messages first, then leaves out the oldest units. The tail
 * shrinks only if that is not enough, and only the smallest tail is shortened, down to a note for
 * each message (invariant 6). The last message to shorten keeps as much as fits. If possible, the
 * line is between two turns.
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
  // Reduces the messages before the tail: shorten by rank, then leave out.
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

/** Limits a long task to the room that the policy gives user text. */
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
// With much JSON overhead the limit is near; an epoch must not start right at it.
const limitShare = 0.75

/** The tail that the policy asks for, up to half of the target. */
function wantedTail(
  selection: Selection,
  { limits, fixed, historyTokens = 0, keepRecent }: SelectOptions,
): number {
  const room = limits.targetTokens - fixed.tokens + historyTokens
  return initialTail(selection, keepRecent, room * tailShare)
}

/** A large tail raises the goal, so that some older messages still have room. */
function goalFor(selection: Selection, tail: number, options: SelectOptions): SelectionGoal {
  const { fixed, limits } = options
  const indexes = selection.units.slice(tail).flatMap(indexesOf)
  const tailSize = addSizes([fixed, ...indexes.map((at) => selection.sizeOf(at))])
  const besideTail = (limits.availableTokens - fixed.tokens) * shareBesideTail
  const withTail = Math.min(limits.availableTokens * fullShare, tailSize.tokens + besideTail)
  const limitWithTail = Math.min(
    limits.limitTokens * fullShare,
    limits.tokensAgainstLimit(tailSize) + limits.limitTokens * shareBesideTail,
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

/** How many tokens the selection is above the goal; the larger value of the two measures. */
function tokensAboveGoal(selection: Selection, at: number | null, goal: SelectionGoal): number {
  const { total } = selection
  const { tokensAgainstLimit } = goal.limits
  const overHard = tokensAgainstLimit(total) - goal.goalLimitTokens
  const size = at === null ? total : selection.sizeOf(at)
  const tokensPerHard = size.tokens / Math.max(1, tokensAgainstLimit(size))
  return Math.max(total.tokens - goal.goalTokens, overHard * tokensPerHard)
}

/** Leaves out units that would not fit even if all old messages were stubs; saves stubbing them. */
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

/** Shortens to the usual stub size, or less if the goal is reached before. */
function shortenTo(selection: Selection, at: number, goal: SelectionGoal): void {
  // A smaller saving would make no stub, and a whole unit would be left out instead.
  const above = Math.max(tokensAboveGoal(selection, at, goal), defaults.stubLeastSavingTokens.value)
  const spare = selection.sizeOf(at).tokens - above
  selection.shorten(at, Math.max(goal.stubTokens, spare - frameTokens))
}

// The frame of a message and its note; `lengthenStubs` gives back what this takes too much.
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

/** User messages that the history block can quote whole are left out instead of cut. */
function fitsHistoryBlock(
  selection: Selection,
  unit: Unit,
  { keptTokens = 0 }: SelectionGoal,
): boolean {
  const isUserText = indexesOf(unit).every((at) => selection.candidate(at)?.message.role === 'user')
  return isUserText && selection.tokensOf(unit) <= keptTokens * historyShare
}

const historyShare = 0.25

/** Shows units again that were left out for a large message which was shortened afterwards. */
function restoreUnits(selection: Selection, options: SelectOptions): void {
  const { limits, stubTokens } = options
  const fits = fitsRefill(options)
  while (selection.total.tokens < limits.targetTokens) {
    const undo = selection.restoreUnit()
    if (undo === null) break
    const indexes = indexesOf(selection.units[selection.firstUnit])
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
    // If the target is still not reached, show the whole message again.
    if (selection.total.tokens < limits.targetTokens)
      selection.lengthen(at, limits.availableTokens, fits)
  }
}

function fitsRefill({ limits }: SelectOptions): (total: Size) => boolean {
  const most = limits.refillTokens ?? limits.limitTokens
  return (total) => limits.tokensAgainstLimit(total) <= most
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
