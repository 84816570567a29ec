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
  type Meter,
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
import type { CostTally, OurTally } from './tally.ts'

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
  const costed = { conversation, windowTokens, meter }
  const session = createCostSession({ ...costed, bills: tally.bills })
  const silentBills = { throughline: tally.unreported.bill }
  const silentSession = createCostSession({ ...costed, bills: silentBills })
  const ours = replayOurs(replay, card, { tally, countOf: requestCounter(meter) })
  const silent = replayOurs(replay, card, { tally: tally.unreported, countOf: null })
  for (const place of requestPlaces(conversation)) {
    const [context, unreported] = [await ours.ask(place), await silent.ask(place)]
    // A request that ours cannot send is not billed to any method.
    if (context === null || unreported === null) continue
    tally.requests += 1
    session.add(place, context)
    silentSession.add(place, unreported)
  }
  tally.conversations += 1
  await ours.close()
  await silent.close()
}

/** What a provider with this tokenizer reports for a request. */
function requestCounter(meter: Meter): (context: Context) => number {
  return ({ tools, system, messages }) =>
    [
      meter.tools(tools),
      ...system.map(({ text }) => meter.systemSize(text).tokens),
      ...messages.map((message) => meter.message(message)),
    ].reduce((sum, tokens) => sum + tokens, 0)
}

interface OurReplay {
  readonly tally: OurTally
  /** Null if the program does not report what its provider counted. */
  readonly countOf: ((context: Context) => number) | null
}

/** Through the public API: appends the new messages, with the usage of a reply, and requests a context. */
function replayOurs(
  { conversation, ask }: CostReplay,
  card: ModelCardInput,
  { tally, countOf }: OurReplay,
): { ask(place: number): Promise<Context | null>; close(): Promise<void> } {
  const { id, system, tools, messages } = conversation
  const engine = createThroughline({ models: [card] })
  const chat = engine.conversation(id)
  let appended = 0
  let before: Sent | null = null
  let replied: Context | null = null
  let isCompacted = false
  return {
    ask: async (place) => {
      if (replied !== null && countOf !== null && appended < place) {
        const usage = { inputTokens: countOf(replied), outputTokens: 0 }
        await chat.append(messages.slice(appended, appended + 1), {
          usage,
          of: replied.fingerprint,
        })
        appended += 1
      }
      await chat.append(messages.slice(appended, place))
      appended = place
      try {
        const context = await ask(chat, { model: card.id, system, tools })
        const sent = sentOf(context)
        isCompacted ||= context.brokenBy !== null
        if (isCompacted) tally.fills.push(context.tokens / context.budget.availableTokens)
        replied = context
        if (context.brokenBy !== null) countOne(tally.causes, context.brokenBy)
        checkPrefix(context, before, sent, () => {
          tally.withoutCause += 1
        })
        before = sent
        return context
      } catch (error) {
        if (!isThroughlineError(error) || error.code !== 'CONTEXT_OVERFLOW') throw error
        replied = null
        tally.impossible += 1
        return null
      }
    },
    close: () => engine.close(),
  }
}
