/**
 * Messages within so many tokens, without a store, a view or a model: the same selection
 * as for a context, for one list of messages. Pure.
 *
 * System messages and instructions are never touched. Where those and the task are more
 * than fits, they are given back as they are, and the figures say so.
 */
import { defaults } from '../../defaults-data.ts'
import { addSizes, type Size } from '../../domain/context.ts'
import type { Sha256 } from '../../domain/hash.ts'
import type { Seq } from '../../domain/ids.ts'
import type { Message, MessageInput } from '../../domain/message.ts'
import type { Policy } from '../../domain/policy.ts'
import type { StubbedMessage } from '../../domain/view.ts'
import { sealAll } from '../append/append.ts'
import { type Classified, type Judged, judge } from '../classify/classify.ts'
import type { Meter } from '../measure/measure.ts'
import type { Candidate, Selected } from '../project/records.ts'
import { stubToInput } from '../stub/stub.ts'
import { select } from './select.ts'
import { aboveTarget, stubTokensOf } from './select-options.ts'

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
  /** A summary stands for the messages before this place. */
  readonly summarizedTo: Seq
  readonly meter: Meter
  readonly policy: Policy
  readonly sha256: Sha256
}

export function trimMessages(inputs: readonly MessageInput[], trimming: Trimming): Trimmed {
  const { targetTokens, meter, policy } = trimming
  const messages = sealAll(inputs, trimming.sha256)
  const sizes = messages.map((message) => meter.closeSize(message))
  const frame = meter.card.overhead.perRequestTokens
  const fixed = { tokens: frame, wire: frame }
  const originalTokens = addSizes([fixed, ...sizes]).tokens
  if (originalTokens <= targetTokens) return unchanged(inputs, originalTokens)
  const judged = judge(messages, policy.trim, trimming.summarizedTo)
  const candidates = candidatesOf(messages, sizes, judged)
  const selected = selectFor(candidates, fixed, judged, trimming)
  const shows = isEnough(selected, judged, targetTokens) ? shownBy(selected, judged) : floor(judged)
  const { stubs } = shows
  const places = inputs.map((_, seq) => seq)
  // Where a unit is told in one text, its other messages have nothing left to say.
  const shown = places.filter((seq) => shows.isShown(seq) && stubs.get(seq)?.parts.length !== 0)
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

interface Shows {
  readonly stubs: ReadonlyMap<Seq, StubbedMessage>
  isShown(seq: Seq): boolean
}

function shownBy({ line, keeps, stubs }: Selected, { classified }: Judged): Shows {
  return {
    stubs: new Map(stubs.map((stub) => [stub.seq, stub])),
    isShown: (seq) => seq >= line || keeps.includes(seq) || isUntouched(classified[seq]),
  }
}

/** A request without what was asked for is of no use, however well it fits. */
function isEnough(selected: Selected, judged: Judged, targetTokens: number): boolean {
  const task = judged.classified.findLastIndex(({ class: found }) => found === 'task')
  const isAsked = task === -1 || shownBy(selected, judged).isShown(task)
  return isAsked && selected.size.tokens <= targetTokens
}

/** What is never touched, and the task, as they are. */
function floor({ classified }: Judged): Shows {
  return { stubs: new Map(), isShown: (seq) => isFloor(classified[seq]) }
}

function unchanged(messages: readonly MessageInput[], originalTokens: number): Trimmed {
  return {
    messages,
    dropped: [],
    stubbed: [],
    originalTokens,
    finalTokens: originalTokens,
    savedTokens: 0,
    withinBudget: true,
  }
}

function candidatesOf(
  messages: readonly Message[],
  sizes: readonly Size[],
  { classified }: Judged,
): readonly Candidate[] {
  return messages.map((message, at) => {
    const size = sizes[at] ?? { tokens: 0, wire: 0 }
    return { message, size, pinned: isUntouched(classified[at]) ? size : null }
  })
}

function isUntouched(classified: Classified | undefined): boolean {
  return classified?.class === 'system' || classified?.class === 'instructions'
}

function isFloor(classified: Classified | undefined): boolean {
  return isUntouched(classified) || classified?.class === 'task'
}

function selectFor(
  candidates: readonly Candidate[],
  fixed: Size,
  judged: Judged,
  { targetTokens, policy, meter }: Trimming,
): Selected {
  const { stub, keepRecent } = policy
  return select(
    { candidates, task: null, known: [] },
    {
      fixed,
      limits: {
        // Here the goal is the limit.
        targetTokens: targetTokens / aboveTarget,
        availableTokens: targetTokens,
        hard: (size) => size.tokens,
        hardTokens: targetTokens,
      },
      keepRecent,
      judged,
      stubTokens: stubTokensOf(stub, targetTokens),
      stubLeastTokens: defaults.stubLeastTokens.value,
      meter,
    },
  )
}
