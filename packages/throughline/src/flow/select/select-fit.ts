/** Down to what fits, whatever it costs: from what can be missed most to what can be missed least. */
import { holdsToolUse } from '../classify/classify.ts'
import { type Down, noteTokens } from './select-options.ts'
import { indexesOf, type Selection } from './selection.ts'

export function fit(selection: Selection, down: Down): void {
  const { units } = selection
  const { order } = down.judged
  const last = units.length - 1
  const within = (from: number, to: number) => units.slice(from, to).flatMap(indexesOf)
  const newest = () => within(Math.max(last, 0), last + 1)
  const tail = () => order.of(within(Math.max(selection.firstUnit, down.tail), last))
  const isOpen = (at: number) => order.isOpen(at, Number.POSITIVE_INFINITY)
  const ofTools = (at: number) => holdsToolUse(selection.candidate(at)?.message ?? { parts: [] })

  shrink(selection, tail().filter(isOpen), down)
  shrink(selection, largestFirst(selection, newest().filter(ofTools)), down)
  shrink(selection, tail(), down)
  shrink(selection, largestFirst(selection, newest()), down)
  leaveOutUntilFit(selection, last, down)
  shrink(selection, selection.kept, down)
  if (excess(selection, down) > 0) selection.note(last, 0)
  leaveOutUntilFit(selection, last + 1, down)
  if (excess(selection, down) > 0) selection.forgetKept()
}

/** What would not fit though it were alone drives out nothing else: it has to be cut anyway. */
export function capHopeless(selection: Selection, down: Down): void {
  const { limits, fixed } = down
  for (const at of tailPlaces(selection, down))
    if (limits.hard(selection.sizeOf(at)) + limits.hard(fixed) > limits.hardTokens)
      cap(selection, at, down)
}

/** One message alone does not drive out all the others, though it is of the tail. */
export function capGiants(selection: Selection, down: Down): void {
  for (const at of tailPlaces(selection, down)) {
    if (excess(selection, down) <= 0) return
    cap(selection, at, down)
  }
}

function tailPlaces({ units, firstUnit }: Selection, { tail }: Down): readonly number[] {
  return units.slice(Math.max(firstUnit, tail)).flatMap(indexesOf)
}

function cap(selection: Selection, at: number, { limits }: Down): void {
  const size = selection.sizeOf(at)
  const over = limits.hard(size) - limits.hardTokens * giantShare
  if (over > 0) selection.shorten(at, size.tokens * (1 - over / limits.hard(size)) - noteTokens, 1)
}

const giantShare = 0.6

export function leaveOutUntilFit(selection: Selection, until: number, down: Down): void {
  while (selection.firstUnit < until && excess(selection, down) > 0) selection.leaveOutOldest()
}

function largestFirst(selection: Selection, places: readonly number[]): readonly number[] {
  return places.toSorted(
    (left, right) => selection.sizeOf(right).wire - selection.sizeOf(left).wire,
  )
}

function excess({ total }: Selection, { limits }: Down): number {
  return limits.hard(total) - limits.hardTokens
}

/** Each keeps what there is room for; what JSON adds is not known before it is written. */
function shrink(selection: Selection, places: readonly number[], down: Down): void {
  for (const at of places) {
    for (const share of [0.95, 0.7, 0.4]) {
      const over = excess(selection, down)
      if (over <= 0) return
      const size = selection.sizeOf(at)
      const room = down.limits.hard(size) - over - noteTokens
      const keep = (room * share * size.tokens) / Math.max(1, down.limits.hard(size))
      if (keep > down.stubLeastTokens) selection.shorten(at, keep, 1)
    }
    if (excess(selection, down) > 0) selection.shorten(at, down.stubLeastTokens, 1)
    if (excess(selection, down) > 0) selection.shorten(at, 0, 1)
  }
}
