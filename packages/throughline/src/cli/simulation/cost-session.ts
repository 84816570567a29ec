/** The requests of one conversation, ours and by simpler ways beside it, each on its bill. */
import type { Context, Meter } from '../../index.ts'
import { parseMessages } from '../../toolkit/index.ts'
import {
  type Bill,
  type BilledRequest,
  type Costs,
  createPieces,
  type Piece,
  piecesOf,
  tokensOf,
} from './bill.ts'
import type { RecordedConversation } from './recorded-conversation.ts'

export type Bills = Readonly<Partial<Record<CostMethod, Bill>>>

interface CostSession {
  /** Of the request before the message at a place; places come in their order. */
  add(place: number, context: Context): Readonly<Partial<Record<CostMethod, Costs>>>
}

interface CostSessionInput {
  readonly conversation: RecordedConversation
  readonly windowTokens: number
  readonly meter: Meter
  /** One for each way that is asked for. */
  readonly bills: Bills
}

export function createCostSession(input: CostSessionInput): CostSession {
  const { conversation, windowTokens, meter, bills } = input
  const { system, tools, messages } = conversation
  const pieces = createPieces(meter)
  const costed = {
    head: pieces.head([{ type: 'text', text: system, metadata: null }], tools),
    messages: parseMessages(messages).map(pieces.message),
    windowTokens,
  }
  const asked = Object.entries(bills) as [CostMethod, Bill][]
  const sending = new Map<CostMethod, Sending>(
    Object.entries(baselines).map(([method, begin]) => [method as CostMethod, begin(costed)]),
  )
  for (const [, bill] of asked) bill.beginConversation()
  return {
    add: (place, context) => {
      const at = sentAt(conversation, place)
      return Object.fromEntries(
        asked.map(([method, bill]) => {
          const sent = sending.get(method)?.(place) ?? {
            pieces: piecesOf(context, pieces),
            summary: null,
          }
          return [method, bill.add({ ...sent, at })]
        }),
      )
    },
  }
}

/** When the newest message came that says when it did. */
function sentAt({ messages }: RecordedConversation, place: number): number | null {
  for (let at = place - 1; at >= 0; at -= 1) {
    const time = messages[at]?.createdAt
    if (time) return time
  }
  return null
}

/** The ways to keep a conversation inside a window whose costs are compared. */
export const costMethods = [
  'full',
  'sliding',
  'forgetting',
  'model-summary',
  'throughline',
] as const

export type CostMethod = (typeof costMethods)[number]

/** Simpler ways to keep a conversation inside a window, each by what it would send. */
export interface CostedConversation {
  readonly head: readonly Piece[]
  readonly messages: readonly Piece[]
  readonly windowTokens: number
}

/** What is sent before the message at a place; places are asked for in their order. */
type Sending = (place: number) => Pick<BilledRequest, 'pieces' | 'summary'>

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
