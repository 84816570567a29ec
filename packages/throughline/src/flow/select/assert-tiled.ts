/**
 * What is shown and what is left out tile the log (invariant 22): each message is before
 * the line and left out, or before it and kept, or behind it and shown; stubs are of what
 * is shown; and the sum is of exactly that.
 */
import { addSizes, type Size } from '../../domain/size.ts'
import { assertInvariant, INVARIANT } from '../../invariants.ts'
import type { Considered, Selected } from './selection.ts'

export function assertTiled(
  { candidates, task }: Pick<Considered, 'candidates' | 'task'>,
  selected: Selected,
  fixed: Size,
): void {
  const wrong = problemOf({ candidates, task }, selected, fixed)
  assertInvariant(wrong === null, INVARIANT.tiled, wrong ?? '')
}

function problemOf(
  { candidates, task }: Pick<Considered, 'candidates' | 'task'>,
  { line, keeps, stubs, size }: Selected,
  fixed: Size,
): string | null {
  const first = candidates[0]?.message.seq ?? line
  const head = first + candidates.length
  if (line < first || line > head) return `the line ${line} is not within ${first} to ${head}`
  const gap = candidates.findIndex(({ message }, at) => message.seq !== first + at)
  if (gap !== -1) return `#${first + gap} is missing`
  if (!isAscending(keeps)) return `kept: ${keeps.join()}`
  if (!isAscending(stubs.map(({ seq }) => seq))) return 'stubs are not in order'
  const kept = new Set(keeps)
  const known = new Set([...candidates, ...(task === null ? [] : [task])].map((c) => c.message.seq))
  const both = keeps.find((seq) => seq >= line || !known.has(seq))
  if (both !== undefined) return `#${both} is kept, and the line is ${line}`
  const hidden = stubs.find(({ seq }) => !known.has(seq) || (seq < line && !kept.has(seq)))
  if (hidden !== undefined) return `#${hidden.seq} is a stub, and is not shown`
  const stubbed = new Map(stubs.map((stub) => [stub.seq, stub.size]))
  const shown = addSizes([
    fixed,
    ...[...candidates, ...(task === null ? [] : [task])].flatMap(({ message, size, pinned }) => {
      if (message.seq >= line || kept.has(message.seq)) return [stubbed.get(message.seq) ?? size]
      return pinned === null ? [] : [pinned]
    }),
  ])
  const same = shown.tokens === size.tokens && shown.wire === size.wire
  return same
    ? null
    : `what is shown has ${shown.tokens} tokens (${shown.wire} written), and not ${size.tokens} (${size.wire})`
}

function isAscending(places: readonly number[]): boolean {
  return places.every((seq, at) => at === 0 || seq > (places[at - 1] ?? 0))
}
