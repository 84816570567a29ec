import { defaults } from '../../defaults-data.ts'
import { addSizes, type Size } from '../../domain/context.ts'
import { type KeepRecent, type Policy, resolveAmount } from '../../domain/policy.ts'
import { assertInvariant, INVARIANT } from '../../invariants.ts'
import type { RankedMessages } from '../classify/classify.ts'
import type { Meter } from '../measure/measure.ts'
import type { Candidates, SelectedMessages } from '../project/records.ts'

export interface SelectOptions {
  readonly fixed: Size
  /** The part of `fixed` for the history block; it does not reduce the tail. */
  readonly historyTokens?: number
  readonly limits: Limits
  readonly keepRecent: KeepRecent
  readonly ranked: RankedMessages
  readonly stubTokens: number
  readonly stubLeastTokens: number
  /** The limit for all kept messages before the line together. */
  readonly keptTokens?: number
  readonly meter: Meter
}

interface Limits {
  readonly targetTokens: number
  readonly availableTokens: number
  /** At this size, the next request would compact again. */
  readonly triggerTokens?: number
  /** The tokens to compare with `limitTokens`. */
  tokensAgainstLimit(size: Size): number
  /** The hard limit of the request. */
  readonly limitTokens: number
  /** The limit while restoring units and lengthening stubs, if it is lower than `limitTokens`. */
  readonly refillTokens?: number
}

export interface SelectionGoal extends SelectOptions {
  readonly tail: number
  readonly goalTokens: number
  /** The goal to compare with `tokensAgainstLimit`. */
  readonly goalLimitTokens: number
}

/** Excerpts end a little below their limit, so the selection aims a little above the target. */
export const targetTolerance = 1.08
/** How much of a stubbed message stays. */
export function stubTokensOf({ tokens, most }: Policy['stub'], ofTokens: number): number {
  return Math.min(most, Math.max(defaults.stubLeastTokens.value, resolveAmount(tokens, ofTokens)))
}

/** The approximate size of a note. */
export const noteTokens = 24

/** Each message is omitted or kept before the line, or shown after it (invariant 22). */
export function assertTiled(loaded: Candidates, selected: SelectedMessages, fixed: Size): void {
  const wrong = tilingProblem(loaded, selected, fixed)
  assertInvariant(wrong === null, INVARIANT.tiled, wrong ?? '')
}

function tilingProblem(
  { candidates, task }: Candidates,
  { line, keeps, stubs, size }: SelectedMessages,
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
  const all = task === null ? candidates : [...candidates, task]
  const known = new Set(all.map(({ message }) => message.seq))
  const both = keeps.find((seq) => seq >= line || !known.has(seq))
  if (both !== undefined) return `#${both} is kept, and the line is ${line}`
  const hidden = stubs.find(({ seq }) => !known.has(seq) || (seq < line && !kept.has(seq)))
  if (hidden !== undefined) return `#${hidden.seq} is a stub, and is not shown`
  const stubbed = new Map(stubs.map((stub) => [stub.seq, stub.size]))
  const shown = addSizes([
    fixed,
    ...all.flatMap(({ message, size, pinned }) => {
      if (message.seq >= line || kept.has(message.seq)) return [stubbed.get(message.seq) ?? size]
      return pinned === null ? [] : [pinned]
    }),
  ])
  const same = shown.tokens === size.tokens && shown.wire === size.wire
  return same
    ? null
    : `the selection has ${shown.tokens} tokens (${shown.wire} as JSON), not ${size.tokens} (${size.wire})`
}

function isAscending(places: readonly number[]): boolean {
  return places.every((seq, at) => at === 0 || seq > (places[at - 1] ?? 0))
}
