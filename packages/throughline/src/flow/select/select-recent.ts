/**
 * Selection for `fill: 'recent'`: shows only the tail. A tail that does not fit is halved, down to
 * one question and its answer.
 */
import { addSizes } from '../../domain/context.ts'
import { hasToolUse } from '../classify/classify.ts'
import type { Candidates, SelectedMessages } from '../project/records.ts'
import {
  assertTiled,
  noteTokens,
  type SelectionGoal,
  type SelectOptions,
} from './select-options.ts'
import { indexesOf, Selection } from './selection.ts'
import { halvedTail, initialTail } from './tail.ts'

export function selectRecent(loaded: Candidates, options: SelectOptions): SelectedMessages {
  const selection = new Selection(loaded, options.fixed, options.meter, options.ranked.tracked)
  const first = initialTail(selection, options.keepRecent, options.limits.availableTokens)
  let tail = wholeTurn(selection, first, options)
  while (isTooLarge(selection, tail, options)) {
    const half = halvedTail(selection.units, tail)
    if (half === null) break
    tail = half
  }
  while (selection.firstUnit < tail) selection.leaveOutOldest()
  const goal: SelectionGoal = {
    ...options,
    tail,
    goalTokens: options.limits.availableTokens,
    goalLimitTokens: options.limits.limitTokens,
  }
  capOversized(selection, goal)
  capGiants(selection, goal)
  leaveOutUntilFit(selection, tail, goal)
  shrinkToFit(selection, goal)
  const { selected } = selection
  assertTiled(loaded, selected, options.fixed)
  return selected
}

/** Extends the tail to the start of its turn, because an answer without its question is unclear. */
function wholeTurn(selection: Selection, tail: number, options: SelectOptions): number {
  const { units } = selection
  const first = units[tail]
  if (first === undefined || first.inCurrentTurn) return tail
  const opening = units.findLastIndex(
    (unit, index) => index < tail && unit.opensTurn && unit.turn === first.turn,
  )
  return opening === -1 || isTooLarge(selection, opening, options) ? tail : opening
}

function isTooLarge(selection: Selection, tail: number, options: SelectOptions): boolean {
  const { fixed, limits } = options
  const indexes = selection.units.slice(tail).flatMap(indexesOf)
  const size = addSizes([fixed, ...indexes.map((at) => selection.sizeOf(at))])
  const mostTokens = limits.triggerTokens ?? limits.availableTokens
  return size.tokens >= mostTokens || limits.tokensAgainstLimit(size) > limits.limitTokens
}

/** Shortens and leaves out messages until the request fits, the least important ones first. */
export function shrinkToFit(selection: Selection, goal: SelectionGoal): void {
  const { units } = selection
  const { order } = goal.ranked
  const last = units.length - 1
  const within = (from: number, to: number) => units.slice(from, to).flatMap(indexesOf)
  const newest = () => within(last, last + 1)
  const tail = () => order.sort(within(Math.max(selection.firstUnit, goal.tail), last))
  const mayShorten = (at: number) => order.mayShorten(at, Number.POSITIVE_INFINITY)
  const ofTools = (at: number) => hasToolUse(selection.candidate(at)?.message ?? { parts: [] })

  shrink(selection, tail().filter(mayShorten), goal)
  shrink(selection, largestFirst(selection, newest().filter(ofTools)), goal)
  shrink(selection, tail(), goal)
  shrink(selection, largestFirst(selection, newest()), goal)
  leaveOutUntilFit(selection, last, goal)
  shrink(selection, selection.kept, goal)
  if (excessTokens(selection, goal) > 0) selection.collapseUnit(last, 0)
  leaveOutUntilFit(selection, last + 1, goal)
  if (excessTokens(selection, goal) > 0) selection.dropKept()
}

/** Cuts messages that would not fit even alone, before they displace any other message. */
export function capOversized(selection: Selection, goal: SelectionGoal): void {
  const { limits, fixed } = goal
  for (const at of tailIndexes(selection, goal))
    if (
      limits.tokensAgainstLimit(selection.sizeOf(at)) + limits.tokensAgainstLimit(fixed) >
      limits.limitTokens
    )
      cap(selection, at, goal)
}

/** Limits each message of the tail, so that one giant does not displace all the others. */
export function capGiants(selection: Selection, goal: SelectionGoal): void {
  for (const at of tailIndexes(selection, goal)) {
    if (excessTokens(selection, goal) <= 0) return
    cap(selection, at, goal)
  }
}

function tailIndexes({ units, firstUnit }: Selection, { tail }: SelectionGoal): readonly number[] {
  return units.slice(Math.max(firstUnit, tail)).flatMap(indexesOf)
}

function cap(selection: Selection, at: number, { limits }: SelectionGoal): void {
  const size = selection.sizeOf(at)
  const over = limits.tokensAgainstLimit(size) - limits.limitTokens * giantShare
  if (over > 0)
    selection.shorten(
      at,
      size.tokens * (1 - over / limits.tokensAgainstLimit(size)) - noteTokens,
      1,
    )
}

const giantShare = 0.6

export function leaveOutUntilFit(selection: Selection, until: number, goal: SelectionGoal): void {
  while (selection.firstUnit < until && excessTokens(selection, goal) > 0)
    selection.leaveOutOldest()
}

function largestFirst(selection: Selection, indexes: readonly number[]): readonly number[] {
  return indexes.toSorted(
    (left, right) => selection.sizeOf(right).wire - selection.sizeOf(left).wire,
  )
}

function excessTokens({ total }: Selection, { limits }: SelectionGoal): number {
  return limits.tokensAgainstLimit(total) - limits.limitTokens
}

/** Shortens each message to its room, in several tries: its size as JSON is known only afterwards. */
function shrink(selection: Selection, indexes: readonly number[], goal: SelectionGoal): void {
  for (const at of indexes) {
    for (const share of [0.95, 0.7, 0.4]) {
      const over = excessTokens(selection, goal)
      if (over <= 0) return
      const size = selection.sizeOf(at)
      const room = goal.limits.tokensAgainstLimit(size) - over - noteTokens
      const keep = (room * share * size.tokens) / Math.max(1, goal.limits.tokensAgainstLimit(size))
      if (keep > goal.stubLeastTokens) selection.shorten(at, keep, 1)
    }
    if (excessTokens(selection, goal) > 0) selection.shorten(at, goal.stubLeastTokens, 1)
    if (excessTokens(selection, goal) > 0) selection.shorten(at, 0, 1)
  }
}
