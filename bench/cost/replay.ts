/**
 * Replays a conversation request by request through the public API and through simpler methods, and
 * bills each request.
 */
import {
  type Context,
  type ContextInput,
  type ConversationHandle,
  createMeter,
  createThroughline,
  isThroughlineError,
  type ModelCardInput,
  modelCard,
  type Tokenizer,
} from 'throughline'
import {
  checkPrefix,
  type Sent,
  sentOf,
} from '../../packages/throughline/src/cli/simulation/checks.ts'
import { createCostSession } from '../../packages/throughline/src/cli/simulation/cost-session.ts'
import {
  type RecordedConversation,
  requestPlaces,
} from '../../packages/throughline/src/cli/simulation/recorded-conversation.ts'
import { countOne } from '../../packages/throughline/src/cli/simulation/statistics.ts'
import type { CostTally } from './tally.ts'

/** Requests a context; a test may modify the result. */
export type AskContext = (chat: ConversationHandle, input: ContextInput) => Promise<Context>

export interface CostReplay {
  readonly conversation: RecordedConversation
  readonly windowTokens: number
  readonly tokenizer: Tokenizer
  readonly tally: CostTally
  readonly ask: AskContext
}

export async function replayCost(replay: CostReplay): Promise<void> {
  const { conversation, windowTokens, tokenizer, tally } = replay
  const model = `window-${windowTokens}`
  const card = { id: model, contextWindowTokens: windowTokens, tokenizer: 'o200k_base' } as const
  const meter = createMeter({ card: modelCard(card), tokenizer })
  const session = createCostSession({ conversation, windowTokens, meter, bills: tally.bills })
  const ours = await replayOurs(replay, card)
  for (const place of requestPlaces(conversation)) {
    const context = await ours.ask(place)
    // A request that ours cannot send is not billed to any method.
    if (context === null) continue
    tally.requests += 1
    session.add(place, context)
  }
  tally.conversations += 1
  await ours.close()
}

/** Through the public API: appends the new messages and requests a context. */
async function replayOurs(
  { conversation, tally, ask }: CostReplay,
  card: ModelCardInput,
): Promise<{ ask(place: number): Promise<Context | null>; close(): Promise<void> }> {
  const { id, system, tools, messages } = conversation
  const engine = createThroughline({ models: [card] })
  const chat = engine.conversation(id)
  let appended = 0
  let before: Sent | null = null
  return {
    ask: async (place) => {
      await chat.append(messages.slice(appended, place))
      appended = place
      try {
        const context = await ask(chat, { model: card.id, system, tools })
        const sent = sentOf(context)
        if (context.brokenBy !== null) countOne(tally.causes, context.brokenBy)
        checkPrefix(context, before, sent, () => {
          tally.withoutCause += 1
        })
        before = sent
        return context
      } catch (error) {
        if (!isThroughlineError(error) || error.code !== 'CONTEXT_OVERFLOW') throw error
        tally.impossible += 1
        return null
      }
    },
    close: () => engine.close(),
  }
}
