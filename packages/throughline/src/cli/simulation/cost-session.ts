/** The requests of one conversation, ours and by simpler ways beside it, each on its bill. */
import type { Context, Meter } from '../../index.ts'
import { parseMessages } from '../../toolkit/index.ts'
import { baselines, type Sending } from './baselines.ts'
import type { Bill, Costs } from './bill.ts'
import type { CostMethod } from './methods.ts'
import type { RecordedConversation } from './recorded-conversation.ts'
import { createPieces, piecesOf } from './request-pieces.ts'

export type Bills = Readonly<Partial<Record<CostMethod, Bill>>>

export interface CostSession {
  /** Of the request before the message at a place; places come in their order. */
  add(place: number, context: Context): Readonly<Partial<Record<CostMethod, Costs>>>
}

export interface CostSessionInput {
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
