import { defaults } from '../../defaults-data.ts'
import { addSizes, noSize, type Size } from '../../domain/context.ts'
import type { Seq } from '../../domain/ids.ts'
import { type KeepRecent, type Policy, resolveAmount } from '../../domain/policy.ts'
import { assertInvariant, INVARIANT } from '../../invariants.ts'
import type { RankedMessages } from '../classify/classify.ts'
import type { Meter } from '../measure/measure.ts'
import type { Candidates, SelectedMessages } from '../project/records.ts'

export interface SelectOptions {
  /** The size of everything in the request except messages. */
  readonly fixed: Size
  /** The part of `fixed` for the history block; it does not reduce the tail. */
  readonly historyTokens?: number
  /** What the history block quotes of the messages that are left out; omitted for nothing. */
  readonly quotes?: Quotes
  readonly limits: Limits
  readonly keepRecent: KeepRecent
  readonly ranked: RankedMessages
  readonly stubTokens: number
  /** Messages above this size are shown as their digests, if they have one; null or omitted for none. */
  readonly digestedFrom?: number | null
  /** The room for user text in the history block. */
  readonly userTextTokens?: number
  readonly meter: Meter
}

export interface Quotes {
  /** For the user's words before the candidates. */
  readonly olderTokens: number
  readonly maxTokens: number
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
  /** The index of the first unit of the tail. */
  readonly tailStart: number
  readonly goalTokens: number
  /** The goal to compare with `tokensAgainstLimit`. */
  readonly goalLimitTokens: number
}

/** What is shown is decided; stubs may still grow. */
export interface StartedSelection {
  /** Its size has the room for the block and its quotes. */
  readonly selected: SelectedMessages
  readonly quoted: Size
  /** Uses what the history block leaves of its room; `before` is reserved for it, `after` its size. */
  finish(block?: { readonly before: Size; readonly after: Size }): SelectedMessages
}

export const sameSize = { before: noSize, after: noSize }

/** Excerpts end a little below their limit, so the selection aims a little above the target. */
export const targetTolerance = 1.08

/**
 * How much of a task is shown, with the trim order `share`. One that fits stays whole. Another is not
 * complete anyway, so it leaves room for the work on it: its outline stays, and `expand` has the rest.
 */
export function taskTokensWithin(taskTokens: number, contentTokens: number): number {
  const isWhole = taskTokens <= contentTokens * maxTaskShares.whole
  return isWhole ? taskTokens : contentTokens * maxTaskShares.cut
}

const maxTaskShares = { whole: 0.7, cut: 0.3 }

/** How much of a stubbed message stays. */
export function stubTokensOf({ tokens, most }: Policy['stub'], ofTokens: number): number {
  return Math.min(most, Math.max(defaults.stubLeastTokens, resolveAmount(tokens, ofTokens)))
}

/** The approximate size of the note in a stub. */
export const noteTokens = 24

/** Each message is omitted or kept before the line, or shown after it (invariant 22). */
export function assertTiled(loaded: Candidates, selected: SelectedMessages, fixed: Size): void {
  const problem = tilingProblem(loaded, selected, fixed)
  assertInvariant(problem === null, INVARIANT.tiled, problem ?? '')
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
  const candidateSeqs = new Set(all.map(({ message }) => message.seq))
  const misplaced = keeps.find((seq) => seq >= line || !candidateSeqs.has(seq))
  if (misplaced !== undefined) return `#${misplaced} is kept, and the line is ${line}`
  const hidden = stubs.find(({ seq }) => !candidateSeqs.has(seq) || (seq < line && !kept.has(seq)))
  if (hidden !== undefined) return `#${hidden.seq} is a stub, and is not shown`
  const stubSizes = new Map(stubs.map((stub) => [stub.seq, stub.size]))
  const shown = addSizes([
    fixed,
    ...all.flatMap(({ message, size, pinSize }) => {
      if (message.seq >= line || kept.has(message.seq)) return [stubSizes.get(message.seq) ?? size]
      return pinSize === null ? [] : [pinSize]
    }),
  ])
  if (shown.tokens === size.tokens && shown.wire === size.wire) return null
  return `the selection has ${shown.tokens} tokens (${shown.wire} as JSON), not ${size.tokens} (${size.wire})`
}

function isAscending(seqs: readonly Seq[]): boolean {
  return seqs.every((seq, index) => index === 0 || seq > (seqs[index - 1] ?? 0))
}
