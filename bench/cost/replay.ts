/**
 * A conversation lived through again, call by call, through the public face and by simpler
 * ways beside it, and what each request is billed.
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

/** Asks for a context; a test may spoil what it gets. */
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
  const ours = await lived(replay, card)
  for (const place of requestPlaces(conversation)) {
    const context = await ours.ask(place)
    // What ours cannot ask, nobody is billed for.
    if (context === null) continue
    tally.requests += 1
    session.add(place, context)
  }
  tally.conversations += 1
  await ours.close()
}

/** Through the public face: what came since is appended, and a context asked for. */
async function lived(
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
