/** Down to what fits, whatever it costs: from what can be missed most to what can be missed least. */
import { holdsToolUse } from '../classify/classify.ts'
import { noteTokens, type SelectionGoal } from './select-options.ts'
import { indexesOf, type Selection } from './selection.ts'

export function shrinkToFit(selection: Selection, goal: SelectionGoal): void {
  const { units } = selection
  const { order } = goal.judged
  const last = units.length - 1
  const within = (from: number, to: number) => units.slice(from, to).flatMap(indexesOf)
  const newest = () => within(Math.max(last, 0), last + 1)
  const tail = () => order.of(within(Math.max(selection.firstUnit, goal.tail), last))
  const mayShorten = (at: number) => order.mayShorten(at, Number.POSITIVE_INFINITY)
  const ofTools = (at: number) => holdsToolUse(selection.candidate(at)?.message ?? { parts: [] })

  shrink(selection, tail().filter(mayShorten), goal)
  shrink(selection, largestFirst(selection, newest().filter(ofTools)), goal)
  shrink(selection, tail(), goal)
  shrink(selection, largestFirst(selection, newest()), goal)
  leaveOutUntilFit(selection, last, goal)
  shrink(selection, selection.kept, goal)
  if (excess(selection, goal) > 0) selection.note(last, 0)
  leaveOutUntilFit(selection, last + 1, goal)
  if (excess(selection, goal) > 0) selection.forgetKept()
}

/** What would not fit though it were alone drives out nothing else: it has to be cut anyway. */
export function capHopeless(selection: Selection, goal: SelectionGoal): void {
  const { limits, fixed } = goal
  for (const at of tailIndexes(selection, goal))
    if (limits.hard(selection.sizeOf(at)) + limits.hard(fixed) > limits.hardTokens)
      cap(selection, at, goal)
}

/** One message alone does not drive out all the others, though it is of the tail. */
export function capGiants(selection: Selection, goal: SelectionGoal): void {
  for (const at of tailIndexes(selection, goal)) {
    if (excess(selection, goal) <= 0) return
    cap(selection, at, goal)
  }
}

function tailIndexes({ units, firstUnit }: Selection, { tail }: SelectionGoal): readonly number[] {
  return units.slice(Math.max(firstUnit, tail)).flatMap(indexesOf)
}

function cap(selection: Selection, at: number, { limits }: SelectionGoal): void {
  const size = selection.sizeOf(at)
  const over = limits.hard(size) - limits.hardTokens * giantShare
  if (over > 0) selection.shorten(at, size.tokens * (1 - over / limits.hard(size)) - noteTokens, 1)
}

const giantShare = 0.6

export function leaveOutUntilFit(selection: Selection, until: number, goal: SelectionGoal): void {
  while (selection.firstUnit < until && excess(selection, goal) > 0) selection.leaveOutOldest()
}

function largestFirst(selection: Selection, indexes: readonly number[]): readonly number[] {
  return indexes.toSorted(
    (left, right) => selection.sizeOf(right).wire - selection.sizeOf(left).wire,
  )
}

function excess({ total }: Selection, { limits }: SelectionGoal): number {
  return limits.hard(total) - limits.hardTokens
}

/** Each keeps what there is room for; what JSON adds is not known before it is written. */
function shrink(selection: Selection, indexes: readonly number[], goal: SelectionGoal): void {
  for (const at of indexes) {
    for (const share of [0.95, 0.7, 0.4]) {
      const over = excess(selection, goal)
      if (over <= 0) return
      const size = selection.sizeOf(at)
      const room = goal.limits.hard(size) - over - noteTokens
      const keep = (room * share * size.tokens) / Math.max(1, goal.limits.hard(size))
      if (keep > goal.stubLeastTokens) selection.shorten(at, keep, 1)
    }
    if (excess(selection, goal) > 0) selection.shorten(at, goal.stubLeastTokens, 1)
    if (excess(selection, goal) > 0) selection.shorten(at, 0, 1)
  }
}
