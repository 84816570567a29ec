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
  aboveTarget,
  assertTiled,
  noteTokens,
  type SelectionGoal,
  type SelectOptions,
} from './select-options.ts'
import { capGiants, capHopeless, leaveOutUntilFit, shrinkToFit } from './select-recent.ts'
import { indexesOf, Selection, type Unit } from './selection.ts'
import { firstTail, halvedTail, showWholeTurns } from './tail.ts'

export function select(considered: Candidates, options: SelectOptions): SelectedMessages {
  const selection = new Selection(considered, options.fixed, options.meter, options.judged.tracked)
  const { units } = selection
  const first = goalFor(selection, wantedTail(selection, options), options)
  capHopeless(selection, first)
  let goal = goalFor(selection, first.tail, options)
  // Down to the goal with what is older than the tail: shortened by the rules, then left out.
  const approachGoal = () => {
    leaveOutHopeless(selection, goal)
    shortenOld(selection, goal)
    leaveOutOld(selection, goal)
  }
  approachGoal()
  capGiants(selection, goal)
  leaveOutUntilFit(selection, goal.tail, goal)
  while (selection.firstUnit >= goal.tail && aboveGoal(selection, null, goal) > 0) {
    const tail = halvedTail(units, goal.tail)
    if (tail === null) break
    goal = goalFor(selection, tail, options)
    approachGoal()
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

/** A long task is kept as far as there is room for what users said. */
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

/** By how many tokens we are above the goal, in whichever measure that is more. */
function aboveGoal(selection: Selection, at: number | null, goal: SelectionGoal): number {
  const { total } = selection
  const { hard } = goal.limits
  const overHard = hard(total) - goal.goalHard
  const size = at === null ? total : selection.sizeOf(at)
  const tokensPerHard = size.tokens / Math.max(1, hard(size))
  return Math.max(total.tokens - goal.goalTokens, overHard * tokensPerHard)
}

/** What would have to leave though everything old were short already is not shortened first. */
function leaveOutHopeless(selection: Selection, goal: SelectionGoal): void {
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
    if (tokens < goal.goalTokens || (unit.opening && unit.running)) return
    selection.leaveOutOldest()
  }
}

function mayShorten(selection: Selection, at: number, { judged }: SelectionGoal): boolean {
  return judged.order.mayShorten(at, selection.candidate(at)?.size.tokens ?? 0)
}

function shortenOld(selection: Selection, goal: SelectionGoal): void {
  const old = selection.units.slice(selection.firstUnit, goal.tail).flatMap(indexesOf)
  const open = old.filter((at) => mayShorten(selection, at, goal))
  for (const at of goal.judged.order.of(open)) {
    if (aboveGoal(selection, null, goal) <= 0) return
    shortenTo(selection, at, goal)
  }
}

/** As short as stubs are, or longer where that would take us below the goal. */
function shortenTo(selection: Selection, at: number, goal: SelectionGoal): void {
  // A stub that saves less is not made, and then something would have to leave as a whole.
  const above = Math.max(aboveGoal(selection, at, goal), defaults.stubLeastSavingTokens.value)
  const spare = selection.sizeOf(at).tokens - above
  selection.shorten(at, Math.max(goal.stubTokens, spare - aroundTokens))
}

// The frame of a message, and the note. What is too short by that grows again in the end.
const aroundTokens = 40

function leaveOutOld(selection: Selection, goal: SelectionGoal): void {
  while (selection.firstUnit < goal.tail && aboveGoal(selection, null, goal) > 0) {
    const unit = selection.units[selection.firstUnit]
    if (unit === undefined) return
    const task = unit.opening && unit.running
    const isMore = selection.tokensOf(unit) > aboveGoal(selection, unit.from, goal)
    if (!task && isMore && !isToldWhole(selection, unit, goal)) {
      for (const at of indexesOf(unit)) shortenTo(selection, at, goal)
      return
    }
    selection.leaveOutOldest()
  }
}

/** User messages that fit into the history block are not cut to fill up a request. */
function isToldWhole(selection: Selection, unit: Unit, { keptTokens = 0 }: SelectionGoal): boolean {
  const isSaid = indexesOf(unit).every((at) => selection.candidate(at)?.message.role === 'user')
  return isSaid && selection.tokensOf(unit) <= keptTokens * toldShare
}

const toldShare = 0.25

/**
 * What gave way to something large that was then shortened has room again: units first, then
 * longer stubs.
 */
function takeBackUnits(selection: Selection, options: SelectOptions): void {
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

function lengthenStubs(selection: Selection, options: SelectOptions): void {
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
