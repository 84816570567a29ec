/**
 * Trims one list of messages with the selection of a context, without store, view or model.
 * System messages and
 * instructions are never touched; where those and the task do not fit, they are returned as they are.
 */
import { defaults } from '../../defaults-data.ts'
import { addSizes, noSize, type Size } from '../../domain/context.ts'
import type { Sha256 } from '../../domain/hash.ts'
import type { Seq } from '../../domain/ids.ts'
import type { MessageInput } from '../../domain/message.ts'
import type { Policy } from '../../domain/policy.ts'
import { sealMessages } from '../append/append.ts'
import { type RankedMessages, rankMessages } from '../classify/classify.ts'
import type { Meter } from '../measure/measure.ts'
import type { Candidate, SelectedMessages } from '../project/records.ts'
import { stubToInput } from '../stub/stub.ts'
import { select } from './select.ts'
import { stubTokensOf, targetTolerance } from './select-options.ts'

export interface Trimmed {
  /** In their order: those that stayed are the ones that were handed in. */
  readonly messages: readonly MessageInput[]
  /** Places of messages, in the list that was handed in, that are gone … */
  readonly dropped: readonly Seq[]
  /** … and of those that are shorter. */
  readonly stubbed: readonly Seq[]
  readonly originalTokens: number
  readonly finalTokens: number
  readonly savedTokens: number
  /** False where what is never touched is too large by itself. */
  readonly withinBudget: boolean
}

export interface Trimming {
  readonly targetTokens: number
  /** A summary covers the messages before this place. */
  readonly summarizedTo: Seq
  readonly meter: Meter
  readonly policy: Policy
  readonly sha256: Sha256
}

export function trimMessages(inputs: readonly MessageInput[], trimming: Trimming): Trimmed {
  const { targetTokens, meter, policy } = trimming
  const messages = sealMessages(inputs, trimming.sha256)
  const sizes = messages.map((message) => meter.closeSize(message))
  const frame = meter.card.overhead.perRequestTokens
  const fixed = { tokens: frame, wire: frame }
  const originalTokens = addSizes([fixed, ...sizes]).tokens
  if (originalTokens <= targetTokens) {
    const finalTokens = originalTokens
    const figures = { originalTokens, finalTokens, savedTokens: 0, withinBudget: true }
    return { messages: inputs, dropped: [], stubbed: [], ...figures }
  }
  const ranked = rankMessages(messages, policy.trim, trimming.summarizedTo)
  const classes = ranked.classified.map((classified) => classified.class)
  const isUntouched = (seq: Seq) => classes[seq] === 'system' || classes[seq] === 'instructions'
  const candidates = messages.map((message, seq) => {
    const size = sizes[seq] ?? noSize
    return { message, size, pinned: isUntouched(seq) ? size : null }
  })
  const selected = selectFor(candidates, fixed, ranked, trimming)
  const { line, keeps } = selected
  const isSelected = (seq: Seq) => seq >= line || keeps.includes(seq) || isUntouched(seq)
  const task = classes.lastIndexOf('task')
  // A request without what was asked for is of no use, however well it fits.
  const isEnough = (task === -1 || isSelected(task)) && selected.size.tokens <= targetTokens
  // Otherwise what is never touched, and the task, as they are.
  const isShown = isEnough ? isSelected : (seq: Seq) => isUntouched(seq) || classes[seq] === 'task'
  const stubs = new Map((isEnough ? selected.stubs : []).map((stub) => [stub.seq, stub]))
  const places = inputs.map((_, seq) => seq)
  // Where a unit is one text, its other messages are empty.
  const shown = places.filter((seq) => isShown(seq) && stubs.get(seq)?.parts.length !== 0)
  const stays = new Set(shown)
  const finalTokens = addSizes([
    fixed,
    ...shown.flatMap((seq) => stubs.get(seq)?.size ?? sizes[seq] ?? []),
  ]).tokens
  return {
    messages: shown.flatMap((seq) => {
      const stub = stubs.get(seq)
      return stub === undefined ? (inputs[seq] ?? []) : stubToInput(stub)
    }),
    dropped: places.filter((seq) => !stays.has(seq)),
    stubbed: [...stubs.keys()].filter((seq) => stays.has(seq)),
    originalTokens,
    finalTokens,
    savedTokens: originalTokens - finalTokens,
    withinBudget: finalTokens <= targetTokens,
  }
}

function selectFor(
  candidates: readonly Candidate[],
  fixed: Size,
  ranked: RankedMessages,
  { targetTokens, policy, meter }: Trimming,
): SelectedMessages {
  const { stub, keepRecent } = policy
  return select(
    { candidates, task: null, known: [] },
    {
      fixed,
      limits: {
        // Here the goal is the limit.
        targetTokens: targetTokens / targetTolerance,
        availableTokens: targetTokens,
        limitSize: (size) => size.tokens,
        limitTokens: targetTokens,
      },
      keepRecent,
      ranked,
      stubTokens: stubTokensOf(stub, targetTokens),
      stubLeastTokens: defaults.stubLeastTokens.value,
      meter,
    },
  )
}
