/** Simpler ways to keep a conversation inside a window, each by what it would send. */

import type { Message } from '../domain/message.ts'
import { deriveTurns } from '../domain/turn.ts'
import type { BilledRequest } from './cost-bill.ts'
import { type Piece, tokensOf } from './cost-pieces.ts'

export interface CostedConversation {
  readonly head: readonly Piece[]
  readonly messages: readonly Piece[]
  /** Places before which a client may cut: no call is parted from its result. Ascending. */
  readonly cuts: readonly number[]
  readonly windowTokens: number
}

/** What is sent before the message at a place; places are asked for in their order. */
export type Sending = (place: number) => Pick<BilledRequest, 'pieces' | 'summary'>

export const baselines = {
  'full history': fullHistory,
  'sliding window': slidingWindow,
  forgetting,
  'model summary': modelSummary,
} as const satisfies Record<string, (conversation: CostedConversation) => Sending>

export function cutsOf(messages: readonly Message[]): readonly number[] {
  const places = deriveTurns(messages).flatMap(({ span, steps }) => [
    span.from,
    ...steps.flatMap((step) => [step.span.from, step.span.to]),
  ])
  return [...new Set(places)].sort((left, right) => left - right)
}

/** However large it becomes: what a model with a window without end would be sent. */
function fullHistory({ head, messages }: CostedConversation): Sending {
  return (place) => ({ pieces: [...head, ...messages.slice(0, place)], summary: null })
}

const fullRatio = 0.9
const forgottenRatio = 0.45

/** The oldest leave with each request that would be too full. */
function slidingWindow(conversation: CostedConversation): Sending {
  return dropping(conversation, { at: fullRatio, to: fullRatio })
}

/** The oldest leave at once, and nothing stands for them: with less, nobody remembers. */
function forgetting(conversation: CostedConversation): Sending {
  return dropping(conversation, { at: fullRatio, to: forgottenRatio })
}

function dropping(
  conversation: CostedConversation,
  { at, to }: { readonly at: number; readonly to: number },
): Sending {
  const { head, messages, cuts, windowTokens } = conversation
  let from = 0
  return (place) => {
    const tokens = () => tokensOf(head) + tokensOf(messages.slice(from, place))
    if (tokens() > windowTokens * at)
      while (tokens() > windowTokens * to) {
        const next = cuts.find((cut) => cut > from)
        // Something has to be asked.
        if (next === undefined || next >= place) break
        from = next
      }
    return { pieces: [...head, ...messages.slice(from, place)], summary: null }
  }
}

const summarizedRatio = 0.8
const keptMessages = 6
const summaryTokens = 800

/** A model tells all but the newest messages in a text of one size; what it was asked is paid for. */
function modelSummary({ head, messages, cuts, windowTokens }: CostedConversation): Sending {
  let from = 0
  let told: readonly Piece[] = []
  return (place) => {
    const sent = () => [...head, ...told, ...messages.slice(from, place)]
    const promptTokens = tokensOf(sent())
    const cut = cuts.findLast((each) => each <= place - keptMessages)
    if (promptTokens < windowTokens * summarizedRatio || cut === undefined || cut <= from)
      return { pieces: sent(), summary: null }
    from = cut
    told = [{ tokens: summaryTokens }]
    return { pieces: sent(), summary: { promptTokens, outputTokens: summaryTokens } }
  }
}
