/** Down to the goal with what is older than the tail: shortened by the rules, then left out. */
import { defaults } from '../../defaults.ts'
import type { SelectionGoal } from './select-options.ts'
import { indexesOf, type Selection } from './selection.ts'
import type { Unit } from './units.ts'

export function approachGoal(selection: Selection, goal: SelectionGoal): void {
  leaveOutHopeless(selection, goal)
  shortenOld(selection, goal)
  leaveOutOld(selection, goal)
}

/** By how many tokens we are above the goal, in whichever measure that is more. */
export function aboveGoal(selection: Selection, at: number | null, goal: SelectionGoal): number {
  const { total } = selection
  const { hard } = goal.limits
  const overHard = hard(total) - goal.goalHard
  const size = at === null ? total : selection.sizeOf(at)
  const tokensPerHard = size.tokens / Math.max(1, hard(size))
  return Math.max(total.tokens - goal.goalTokens, overHard * tokensPerHard)
}

/** What would have to leave though everything old were short already is not shortened first. */
function leaveOutHopeless(selection: Selection, goal: SelectionGoal): void {
  const least = (unit: Unit) =>
    indexesOf(unit).reduce((sum, at) => sum + leastTokens(selection, at, goal), 0)
  const old = selection.units.slice(selection.firstUnit, goal.tail)
  let tokens = selection.total.tokens
  for (const unit of old) tokens -= selection.tokensOf(unit) - least(unit)
  for (const unit of old) {
    tokens -= least(unit)
    if (tokens < goal.goalTokens || (unit.opening && unit.running)) return
    selection.leaveOutOldest()
  }
}

function leastTokens(selection: Selection, at: number, goal: SelectionGoal): number {
  const { tokens } = selection.sizeOf(at)
  return mayShorten(selection, at, goal) ? Math.min(tokens, goal.stubTokens) : tokens
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

/** Words of users that find room in what stands for the past are not cut to fill up a request. */
function isToldWhole(selection: Selection, unit: Unit, { keptTokens = 0 }: SelectionGoal): boolean {
  const isSaid = indexesOf(unit).every((at) => selection.candidate(at)?.message.role === 'user')
  return isSaid && selection.tokensOf(unit) <= keptTokens * toldShare
}

const toldShare = 0.25
