/** Simpler ways to keep a conversation inside a window, each by what it would send. */
import type { BilledRequest } from './bill.ts'
import { type Piece, tokensOf } from './request-pieces.ts'

export interface CostedConversation {
  readonly head: readonly Piece[]
  readonly messages: readonly Piece[]
  readonly windowTokens: number
}

/** What is sent before the message at a place; places are asked for in their order. */
export type Sending = (place: number) => Pick<BilledRequest, 'pieces' | 'summary'>

export const baselines = {
  full,
  sliding,
  forgetting,
  'model-summary': modelSummary,
} as const satisfies Record<string, (conversation: CostedConversation) => Sending>

/** However large it becomes: what a model with a window without end would be sent. */
function full({ head, messages }: CostedConversation): Sending {
  return (place) => ({ pieces: [...head, ...messages.slice(0, place)], summary: null })
}

const fullRatio = 0.9
const forgottenRatio = 0.45

/** The oldest leave with each request that would be too full. */
function sliding(conversation: CostedConversation): Sending {
  return dropping(conversation, { at: fullRatio, to: fullRatio })
}

/** The oldest leave at once, and nothing stands for them: with less, nobody remembers. */
function forgetting(conversation: CostedConversation): Sending {
  return dropping(conversation, { at: fullRatio, to: forgottenRatio })
}

/**
 * Message by message: a client that does no more than this parts calls from their results, which
 * costs it nothing here.
 */
function dropping(
  { head, messages, windowTokens }: CostedConversation,
  { at, to }: { readonly at: number; readonly to: number },
): Sending {
  const tokensIn = spanTokens(messages)
  const headTokens = tokensOf(head)
  let from = 0
  return (place) => {
    const tokens = () => headTokens + tokensIn(from, place)
    if (tokens() > windowTokens * at)
      // Something has to be asked.
      while (tokens() > windowTokens * to && from < place - 1) from += 1
    return { pieces: [...head, ...messages.slice(from, place)], summary: null }
  }
}

const summarizedRatio = 0.8
const keptMessages = 6
/** A tenth of what it tells, and no more than models write of a session of work when asked to keep it. */
const summary = { ratio: 0.1, mostTokens: 2_000 } as const

/** A model tells all but the newest messages. */
function modelSummary({ head, messages, windowTokens }: CostedConversation): Sending {
  const tokensIn = spanTokens(messages)
  const headTokens = tokensOf(head)
  let from = 0
  let told: readonly Piece[] = []
  return (place) => {
    const sent = () => [...head, ...told, ...messages.slice(from, place)]
    const tokens = headTokens + tokensOf(told) + tokensIn(from, place)
    const cut = place - keptMessages
    if (tokens <= windowTokens * summarizedRatio || cut <= from)
      return { pieces: sent(), summary: null }
    const asked = sent()
    const outputTokens = Math.round(Math.min(summary.mostTokens, tokens * summary.ratio))
    from = cut
    told = [{ tokens: outputTokens }]
    return { pieces: sent(), summary: { pieces: asked, outputTokens } }
  }
}

/** The tokens of any run of pieces, without adding them up each time. */
function spanTokens(pieces: readonly Piece[]): (from: number, to: number) => number {
  const sums = [0]
  for (const { tokens } of pieces) sums.push((sums.at(-1) ?? 0) + tokens)
  return (from, to) => (sums[to] ?? 0) - (sums[from] ?? 0)
}
