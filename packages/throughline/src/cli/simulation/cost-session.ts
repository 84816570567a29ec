/** Bills the requests of one conversation: ours and those of simpler methods. */
import type { Context, ContextMessage, Meter, TextPart, ToolSchema } from '../../index.ts'
import { parseMessages } from '../../toolkit/index.ts'
import { type Bill, type BilledRequest, type Costs, type Piece, tokensOf } from './bill.ts'
import type { RecordedConversation } from './recorded-conversation.ts'

export const costMethods = [
  'full',
  'sliding',
  'forgetting',
  'model-summary',
  'throughline',
] as const

export type CostMethod = (typeof costMethods)[number]

export type Bills = Readonly<Partial<Record<CostMethod, Bill>>>

interface CostSessionInput {
  readonly conversation: RecordedConversation
  readonly windowTokens: number
  readonly meter: Meter
  readonly bills: Bills
}

export function createCostSession({ conversation, windowTokens, meter, bills }: CostSessionInput) {
  const { system, tools, messages } = conversation
  const { headOf, messageOf } = createPieces(meter)
  const costed = {
    head: headOf([{ type: 'text', text: system, metadata: null }], tools),
    messages: parseMessages(messages).map(messageOf),
    windowTokens,
  }
  const asked = Object.entries(bills) as [CostMethod, Bill][]
  const sending = new Map<string, Sending>(
    Object.entries(baselines).map(([method, begin]) => [method, begin(costed)]),
  )
  for (const [, bill] of asked) bill.beginConversation()
  return {
    /** The request before the message at a place; places ascend. */
    add: (place: number, context: Context): Readonly<Partial<Record<CostMethod, Costs>>> => {
      const at = messages.slice(0, place).findLast(({ createdAt }) => createdAt)?.createdAt ?? null
      return Object.fromEntries(
        asked.map(([method, bill]) => {
          const sent = sending.get(method)?.(place) ?? {
            pieces: [...headOf(context.system, context.tools), ...context.messages.map(messageOf)],
            summary: null,
          }
          return [method, bill.add({ ...sent, at })]
        }),
      )
    },
  }
}

/** In the order in which providers cache: tools, system prompt, messages. */
function createPieces(meter: Meter) {
  const known = new Map<string, Piece>()
  const pieceOf = (value: unknown, count: () => number): Piece => {
    const text = JSON.stringify(value)
    const piece = known.get(text) ?? { tokens: count() }
    known.set(text, piece)
    return piece
  }
  return {
    headOf: (system: readonly TextPart[], tools: readonly ToolSchema[]) => [
      pieceOf(['tools', tools], () => meter.tools(tools)),
      ...system.map((part) => pieceOf(['system', part], () => meter.systemSize(part.text).tokens)),
    ],
    messageOf: (message: Pick<ContextMessage, 'role' | 'author' | 'parts' | 'meta'>) => {
      const { role, author, parts, meta } = message
      return pieceOf([role, author, parts, meta], () =>
        meter.message({ role, author, parts, meta }),
      )
    },
  }
}

export interface CostedConversation {
  readonly head: readonly Piece[]
  readonly messages: readonly Piece[]
  readonly windowTokens: number
}

/** What is sent before the message at a place; places ascend. */
type Sending = (place: number) => Pick<BilledRequest, 'pieces' | 'summary'>

export const baselines = {
  /** As if the window were unlimited. */
  full: dropOldest({ at: Number.POSITIVE_INFINITY, to: Number.POSITIVE_INFINITY }),
  /** Drops the oldest with each request that would be too full. */
  sliding: dropOldest({ at: 0.9, to: 0.9 }),
  /** Drops many of the oldest at once, without a summary. */
  forgetting: dropOldest({ at: 0.9, to: 0.45 }),
  'model-summary': modelSummary,
} as const satisfies Record<string, (conversation: CostedConversation) => Sending>

/** From one share of the window to another. Calls lose their results, which costs nothing here. */
function dropOldest({ at, to }: { readonly at: number; readonly to: number }) {
  return ({ head, messages, windowTokens }: CostedConversation): Sending => {
    const tokensIn = spanTokens(messages)
    const headTokens = tokensOf(head)
    let from = 0
    return (place) => {
      const tokens = () => headTokens + tokensIn(from, place)
      if (tokens() > windowTokens * at)
        // One message must remain.
        while (tokens() > windowTokens * to && from < place - 1) from += 1
      return { pieces: [...head, ...messages.slice(from, place)], summary: null }
    }
  }
}

const summarizedRatio = 0.8
const keptMessages = 6
/** A tenth of the summarized tokens, up to what models usually write. */
const summary = { ratio: 0.1, mostTokens: 2_000 } as const

/** A model summarizes all but the newest messages. */
function modelSummary({ head, messages, windowTokens }: CostedConversation): Sending {
  const tokensIn = spanTokens(messages)
  const headTokens = tokensOf(head)
  let from = 0
  let summaryPieces: readonly Piece[] = []
  return (place) => {
    const sent = () => [...head, ...summaryPieces, ...messages.slice(from, place)]
    const tokens = headTokens + tokensOf(summaryPieces) + tokensIn(from, place)
    const cut = place - keptMessages
    if (tokens <= windowTokens * summarizedRatio || cut <= from)
      return { pieces: sent(), summary: null }
    const asked = sent()
    const outputTokens = Math.round(Math.min(summary.mostTokens, tokens * summary.ratio))
    from = cut
    summaryPieces = [{ tokens: outputTokens }]
    return { pieces: sent(), summary: { pieces: asked, outputTokens } }
  }
}

function spanTokens(pieces: readonly Piece[]): (from: number, to: number) => number {
  const sums = [0]
  for (const { tokens } of pieces) sums.push((sums.at(-1) ?? 0) + tokens)
  return (from, to) => (sums[to] ?? 0) - (sums[from] ?? 0)
}
