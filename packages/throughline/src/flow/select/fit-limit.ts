/** What all selections share: shortening to the limit of a request, and the check that nothing is missing. */
import { defaults } from '../../defaults-data.ts'
import { addSizes, type Size } from '../../domain/context.ts'
import { hasToolUse } from '../classify/classify.ts'
import type { Candidates, SelectedMessages } from '../project/records.ts'
import { assertTiled, noteTokens, type SelectionGoal, type sameSize } from './select-options.ts'
import type { Selection } from './selection.ts'
import { indexesOf } from './units.ts'

/** Where the tail alone is above the limit: no plan is exact enough, so each stub is made at once. */
export function shortenToLimit(selection: Selection, goal: SelectionGoal): void {
  if (excessTokens(selection, goal) <= 0) return
  selection.makeStubs()
  capGiants(selection, goal)
  shrinkToFit(selection, goal)
}

/** Shortens and leaves out messages until the request fits, the least important ones first. */
function shrinkToFit(selection: Selection, goal: SelectionGoal): void {
  const { units } = selection
  const { order } = goal.ranked
  const last = units.length - 1
  const newest = () => indexesOf(units[last])
  const tail = () => order.sort(units.slice(selection.firstUnit, last).flatMap(indexesOf))
  // Infinity, because here even small tool uses are shortened.
  const mayShorten = (at: number) => order.mayShorten(at, Number.POSITIVE_INFINITY)
  const usesTools = (at: number) => hasToolUse(selection.candidate(at)?.message ?? { parts: [] })

  shrink(selection, tail().filter(mayShorten), goal)
  shrink(selection, largestFirst(selection, newest().filter(usesTools)), goal)
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
function capGiants(selection: Selection, goal: SelectionGoal): void {
  for (const at of tailIndexes(selection, goal)) {
    if (excessTokens(selection, goal) <= 0) return
    cap(selection, at, goal)
  }
}

function tailIndexes({ units, firstUnit }: Selection, { tailStart }: SelectionGoal) {
  return units.slice(Math.max(firstUnit, tailStart)).flatMap(indexesOf)
}

function cap(selection: Selection, at: number, { limits }: SelectionGoal): void {
  const size = selection.sizeOf(at)
  const sizeAgainstLimit = limits.tokensAgainstLimit(size)
  const excess = sizeAgainstLimit - limits.limitTokens * maxMessageShare
  if (excess <= 0) return
  const keptShare = 1 - excess / sizeAgainstLimit
  selection.shorten(at, size.tokens * keptShare - noteTokens, 1)
}

const maxMessageShare = 0.6

/** Leaves out units, but none from the index `endUnit` on. */
function leaveOutUntilFit(selection: Selection, endUnit: number, goal: SelectionGoal): void {
  while (selection.firstUnit < endUnit && excessTokens(selection, goal) > 0)
    selection.leaveOutOldest()
}

function largestFirst(selection: Selection, indexes: readonly number[]): readonly number[] {
  return indexes.toSorted((one, other) => selection.sizeOf(other).wire - selection.sizeOf(one).wire)
}

function excessTokens({ total }: Selection, { limits }: SelectionGoal): number {
  return limits.tokensAgainstLimit(total) - limits.limitTokens
}

/** Shortens each message to its room, in several tries: its size as JSON is known only afterwards. */
function shrink(selection: Selection, indexes: readonly number[], goal: SelectionGoal): void {
  for (const at of indexes) {
    for (const share of [0.95, 0.7, 0.4]) {
      const excess = excessTokens(selection, goal)
      if (excess <= 0) return
      const size = selection.sizeOf(at)
      const sizeAgainstLimit = goal.limits.tokensAgainstLimit(size)
      const room = sizeAgainstLimit - excess - noteTokens
      const keepTokens = (room * share * size.tokens) / Math.max(1, sizeAgainstLimit)
      if (keepTokens > minStubTokens) selection.shorten(at, keepTokens, 1)
    }
    if (excessTokens(selection, goal) > 0) selection.shorten(at, minStubTokens, 1)
    if (excessTokens(selection, goal) > 0) selection.shorten(at, 0, 1)
  }
}

const minStubTokens = defaults.stubLeastTokens

/** The block as rendered takes the place of what was reserved and expected for it. */
export function replaceBlock(selection: Selection, { before, after }: typeof sameSize): void {
  selection.replace(addSizes([before, selection.quoted]), after)
}

/** The selection, checked; its size has the history block as rendered. */
export function tiled(
  loaded: Candidates,
  { selected }: Selection,
  fixed: Size,
  { before, after }: typeof sameSize,
): SelectedMessages {
  assertTiled(loaded, selected, {
    tokens: fixed.tokens - before.tokens + after.tokens,
    wire: fixed.wire - before.wire + after.wire,
  })
  return selected
}
