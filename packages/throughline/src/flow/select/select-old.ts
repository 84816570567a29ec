/** Down to the goal with what is older than the tail: shortened by the rules, then left out. */
import { defaults } from '../../defaults.ts'
import type { Down } from './select-options.ts'
import { indexesOf, type Selection } from './selection.ts'
import type { Unit } from './units.ts'

export function goDown(selection: Selection, down: Down): void {
  leaveOutHopeless(selection, down)
  shortenOld(selection, down)
  leaveOutOld(selection, down)
}

/** By how many tokens we are above the goal, in whichever measure that is more. */
export function aboveGoal(selection: Selection, at: number | null, down: Down): number {
  const { total } = selection
  const { hard } = down.limits
  const overHard = hard(total) - down.goalHard
  const size = at === null ? total : selection.sizeOf(at)
  const tokensPerHard = size.tokens / Math.max(1, hard(size))
  return Math.max(total.tokens - down.goalTokens, overHard * tokensPerHard)
}

/** What would have to leave though everything old were short already is not shortened first. */
function leaveOutHopeless(selection: Selection, down: Down): void {
  const least = (unit: Unit) =>
    indexesOf(unit).reduce((sum, at) => sum + leastTokens(selection, at, down), 0)
  const old = selection.units.slice(selection.firstUnit, down.tail)
  let tokens = selection.total.tokens
  for (const unit of old) tokens -= selection.tokensOf(unit) - least(unit)
  for (const unit of old) {
    tokens -= least(unit)
    if (tokens < down.goalTokens || (unit.opening && unit.running)) return
    selection.leaveOutOldest()
  }
}

function leastTokens(selection: Selection, at: number, down: Down): number {
  const { tokens } = selection.sizeOf(at)
  return isOpen(selection, at, down) ? Math.min(tokens, down.stubTokens) : tokens
}

function isOpen(selection: Selection, at: number, { judged }: Down): boolean {
  return judged.order.isOpen(at, selection.candidate(at)?.size.tokens ?? 0)
}

function shortenOld(selection: Selection, down: Down): void {
  const old = selection.units.slice(selection.firstUnit, down.tail).flatMap(indexesOf)
  const open = old.filter((at) => isOpen(selection, at, down))
  for (const at of down.judged.order.of(open)) {
    if (aboveGoal(selection, null, down) <= 0) return
    shortenTo(selection, at, down)
  }
}

/** As short as stubs are, or longer where that would take us below the goal. */
function shortenTo(selection: Selection, at: number, down: Down): void {
  // A stub that saves less is not made, and then something would have to leave as a whole.
  const above = Math.max(aboveGoal(selection, at, down), defaults.stubLeastSavingTokens.value)
  const spare = selection.sizeOf(at).tokens - above
  selection.shorten(at, Math.max(down.stubTokens, spare - aroundTokens))
}

// The frame of a message, and the note. What is too short by that grows again in the end.
const aroundTokens = 40

function leaveOutOld(selection: Selection, down: Down): void {
  while (selection.firstUnit < down.tail && aboveGoal(selection, null, down) > 0) {
    const unit = selection.units[selection.firstUnit]
    if (unit === undefined) return
    const task = unit.opening && unit.running
    const isMore = selection.tokensOf(unit) > aboveGoal(selection, unit.from, down)
    if (!task && isMore && !isToldWhole(selection, unit, down)) {
      for (const at of indexesOf(unit)) shortenTo(selection, at, down)
      return
    }
    selection.leaveOutOldest()
  }
}

/** Words of users that find room in what stands for the past are not cut to fill up a request. */
function isToldWhole(selection: Selection, unit: Unit, { keptTokens = 0 }: Down): boolean {
  const isSaid = indexesOf(unit).every((at) => selection.candidate(at)?.message.role === 'user')
  return isSaid && selection.tokensOf(unit) <= keptTokens * toldShare
}

const toldShare = 0.25
