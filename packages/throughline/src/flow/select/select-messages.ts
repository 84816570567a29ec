/** Selects the messages of one request beside its fixed parts, by the way that the policy fills it. */
import { addSizes, type Size } from '../../domain/context.ts'
import { notesSize, requestFrame } from '../assemble/fixed-texts.ts'
import { recalledMessage } from '../assemble/slots.ts'
import { rankMessages } from '../classify/classify.ts'
import { usesRatio } from '../measure/triggers.ts'
import { userTextTokens } from '../measure/user-text.ts'
import type { Candidates, ContextInputs, FixedParts } from '../project/records.ts'
import { pinSizes } from '../project/render-view.ts'
import { digestedFrom } from '../stub/giants.ts'
import { selectBeside } from './select.ts'
import {
  type Quotes,
  type SelectOptions,
  type StartedSelection,
  stubTokensOf,
} from './select-options.ts'
import { selectRecentBeside } from './select-recent.ts'

export interface MessageRoom {
  /** For the history block, without its quotes. */
  readonly reserved: Size
  readonly quotes?: Quotes | undefined
  readonly limitTokens: number
}

export function selectMessages(
  input: ContextInputs,
  fixed: FixedParts,
  loaded: Candidates,
  room: MessageRoom,
): StartedSelection {
  const options = selectOptions(input, fixed, loaded, room)
  return input.policy.fill === 'recent'
    ? selectRecentBeside(loaded, options)
    : selectBeside(loaded, options)
}

// If the view were filled up to the limit, the next request would need a new epoch.
const refillShare = 0.85

function selectOptions(
  input: ContextInputs,
  fixed: FixedParts,
  { candidates }: Candidates,
  { reserved, quotes, limitTokens }: MessageRoom,
): SelectOptions {
  const { meter, policy, log } = input
  const { plan, sizes, supplied, offered } = fixed
  const first = candidates[0]?.message.seq ?? log.head
  // The sizes of later pins are those of candidates.
  const pins = [...pinSizes(input, fixed)].flatMap(([seq, size]) => (seq < first ? [size] : []))
  return {
    fixed: addSizes([
      requestFrame(meter),
      sizes.system,
      sizes.tools,
      ...pins,
      supplied.size,
      notesSize(log.head, offered, meter),
      ...insertSizes(input),
      reserved,
    ]),
    historyTokens: reserved.tokens,
    ...(quotes && { quotes }),
    limits: {
      targetTokens: plan.budget.targetTokens,
      availableTokens: plan.countedTokens,
      // Without a ratio trigger, a long log may compact although its tail is small.
      triggerTokens: usesRatio(policy.triggers) ? plan.budget.triggerTokens : plan.countedTokens,
      tokensAgainstLimit: plan.tokensAgainstLimit,
      limitTokens,
      refillTokens: Math.min(limitTokens, plan.limitTokens * refillShare),
    },
    keepRecent: policy.keepRecent,
    ranked: rankMessages(
      candidates.map(({ message }) => message),
      policy.trim,
    ),
    stubTokens: stubTokensOf(policy.stub, plan.countedTokens),
    digestedFrom: digestedFrom(policy, meter),
    userTextTokens: userTextTokens(policy, plan),
    meter,
  }
}

/** The sizes of text that was recalled before, and stays. */
export function insertSizes({ inserts, meter }: ContextInputs): readonly Size[] {
  return inserts.map((insert) => meter.closeSize(recalledMessage(insert)))
}
