/**
 * Trims a list of messages with the same selection as a context, without store, view or model.
 * System messages and instructions stay whole; they and the task are returned even if too large.
 * The order `share` works as `priority`: no history block describes what leaves, so tool output is
 * shortened before any message does.
 */
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
  /** In order; unchanged messages are the caller's objects. */
  readonly messages: readonly MessageInput[]
  /** Indexes of messages that were left out. */
  readonly dropped: readonly Seq[]
  /** Indexes of messages that were shortened. */
  readonly stubbed: readonly Seq[]
  readonly originalTokens: number
  readonly finalTokens: number
  readonly savedTokens: number
  /** False if system messages, instructions and task alone are too large. */
  readonly withinBudget: boolean
}

export interface Trimming {
  readonly targetTokens: number
  /** A summary covers the messages before this index. */
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
  const order = policy.trim.order === 'share' ? 'priority' : policy.trim.order
  const ranked = rankMessages(messages, { ...policy.trim, order }, trimming.summarizedTo)
  const classes = ranked.classified.map((classified) => classified.class)
  const isUntouched = (seq: Seq) => classes[seq] === 'system' || classes[seq] === 'instructions'
  const candidates = messages.map((message, seq) => {
    const size = sizes[seq] ?? noSize
    return { message, size, pinSize: isUntouched(seq) ? size : null }
  })
  const selected = selectFor(candidates, fixed, ranked, trimming)
  const { line, keeps } = selected
  const isSelected = (seq: Seq) => seq >= line || keeps.includes(seq) || isUntouched(seq)
  const task = classes.lastIndexOf('task')
  // A list without the task is of no use, even if it fits.
  const isUsable = (task === -1 || isSelected(task)) && selected.size.tokens <= targetTokens
  // Otherwise return system messages, instructions and task unchanged.
  const isShown = isUsable ? isSelected : (seq: Seq) => isUntouched(seq) || classes[seq] === 'task'
  const stubs = new Map((isUsable ? selected.stubs : []).map((stub) => [stub.seq, stub]))
  const places = inputs.map((_, seq) => seq)
  // A collapsed unit has all of its text in one message; the others are empty.
  const shown = new Set(places.filter((seq) => isShown(seq) && stubs.get(seq)?.parts.length !== 0))
  const finalTokens = addSizes([
    fixed,
    ...[...shown].map((seq) => stubs.get(seq)?.size ?? sizes[seq] ?? noSize),
  ]).tokens
  return {
    messages: [...shown].flatMap((seq) => {
      const stub = stubs.get(seq)
      return stub === undefined ? (inputs[seq] ?? []) : stubToInput(stub)
    }),
    dropped: places.filter((seq) => !shown.has(seq)),
    stubbed: [...stubs.keys()].filter((seq) => shown.has(seq)),
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
    { candidates, task: null, earlierStubs: [] },
    {
      fixed,
      limits: {
        // For a trim, the target is the limit.
        targetTokens: targetTokens / targetTolerance,
        availableTokens: targetTokens,
        tokensAgainstLimit: (size) => size.tokens,
        limitTokens: targetTokens,
      },
      keepRecent,
      ranked,
      stubTokens: stubTokensOf(stub, targetTokens),
      meter,
    },
  )
}
