/** The requests of one conversation, ours and by simpler ways beside it, each on its bill. */
import type { Context, ContextMessage, Meter, TextPart, ToolSchema } from '../../index.ts'
import { parseMessages } from '../../toolkit/index.ts'
import { type Bill, type BilledRequest, type Costs, type Piece, tokensOf } from './bill.ts'
import type { RecordedConversation } from './recorded-conversation.ts'

/** The ways to keep a conversation inside a window whose costs are compared. */
export const costMethods = [
  'full',
  'sliding',
  'forgetting',
  'model-summary',
  'throughline',
] as const

export type CostMethod = (typeof costMethods)[number]

/** One for each way that is asked for. */
export type Bills = Readonly<Partial<Record<CostMethod, Bill>>>

interface CostSessionInput {
  readonly conversation: RecordedConversation
  readonly windowTokens: number
  readonly meter: Meter
  readonly bills: Bills
}

export function createCostSession(input: CostSessionInput) {
  const { conversation, windowTokens, meter, bills } = input
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
    /** Of the request before the message at a place; places come in their order. */
    add: (place: number, context: Context): Readonly<Partial<Record<CostMethod, Costs>>> => {
      // When the newest message came that says when it did.
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

/** Tools, system prompt and messages of one conversation, in the order in which providers read them. */
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

/** What is sent before the message at a place; places are asked for in their order. */
type Sending = (place: number) => Pick<BilledRequest, 'pieces' | 'summary'>

/** Simpler ways to keep a conversation inside a window, each by what it would send. */
export const baselines = {
  /** However large it becomes: what a model with a window without end would be sent. */
  full: dropping({ at: Number.POSITIVE_INFINITY, to: Number.POSITIVE_INFINITY }),
  /** The oldest leave with each request that would be too full. */
  sliding: dropping({ at: 0.9, to: 0.9 }),
  /** The oldest leave at once, and nothing stands for them: with less, nobody remembers. */
  forgetting: dropping({ at: 0.9, to: 0.45 }),
  'model-summary': modelSummary,
} as const satisfies Record<string, (conversation: CostedConversation) => Sending>

/**
 * Message by message, at a share of the window down to another: a client that does no more than
 * this parts calls from their results, which costs it nothing here.
 */
function dropping({ at, to }: { readonly at: number; readonly to: number }) {
  return ({ head, messages, windowTokens }: CostedConversation): Sending => {
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
