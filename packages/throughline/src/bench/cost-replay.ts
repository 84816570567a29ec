/**
 * A conversation lived through again, call by call, through the public face and by simpler
 * ways beside it, and what each request is billed.
 */
import type { ConversationHandle } from '../conversation/handle.ts'
import type { Context } from '../domain/context.ts'
import { type ModelCardInput, modelCard } from '../domain/model-card.ts'
import { isThroughlineError } from '../errors.ts'
import { createMeter } from '../flow/measure.ts'
import type { ContextInput } from '../flow/request.ts'
import { sealAll } from '../flow/seal-all.ts'
import type { Tokenizer } from '../ports/tokenizer.ts'
import { sha256 } from '../system.ts'
import { createThroughline } from '../throughline.ts'
import { baselines, cutsOf, type Sending } from './cost-baselines.ts'
import { createPieces, piecesOf, tokensOf } from './cost-pieces.ts'
import type { CostMethod, CostTally } from './cost-tally.ts'
import { checkPrefix, type Sent, sentOf } from './fit-checks.ts'
import type { RecordedConversation } from './fit-conversations.ts'
import { countOne } from './fit-tally.ts'

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
  const { system, tools, messages: inputs } = conversation
  const model = `window-${windowTokens}`
  const card = { id: model, contextWindowTokens: windowTokens, tokenizer: 'o200k_base' } as const
  const pieces = createPieces(createMeter({ card: modelCard(card), tokenizer }))
  const messages = sealAll(inputs, sha256)
  const costed = {
    head: pieces.head([{ type: 'text', text: system, metadata: null }], tools),
    messages: messages.map(pieces.message),
    cuts: cutsOf(messages),
    windowTokens,
  }
  const sending = new Map<CostMethod, Sending>(
    Object.entries(baselines).map(([method, begin]) => [method as CostMethod, begin(costed)]),
  )
  for (const bill of Object.values(tally.bills)) bill.beginConversation()
  const ours = await lived(replay, card)
  const calls = callsOf(conversation)
  for (const [index, place] of calls.entries()) {
    const sentOurs = await ours.ask(place)
    // What ours cannot ask, nobody is billed for.
    if (sentOurs === null) continue
    const replies = messages
      .slice(place, calls[index + 1])
      .flatMap(({ role, seq }) => (role === 'assistant' ? (costed.messages[seq] ?? []) : []))
    const same = { at: sentAt(conversation, place), replyTokens: tokensOf(replies) }
    tally.bills.throughline.add({ ...same, pieces: piecesOf(sentOurs, pieces), summary: null })
    for (const [method, send] of sending) tally.bills[method].add({ ...same, ...send(place) })
  }
  tally.conversations += 1
  await ours.close()
}

/** A reply may stand in several messages: it was asked for once. */
function callsOf({ calls, messages }: RecordedConversation): readonly number[] {
  return calls.filter(
    (place) => messages[place]?.role !== 'assistant' || messages[place - 1]?.role !== 'assistant',
  )
}

/** When the newest message came that says when it did. */
function sentAt({ messages }: RecordedConversation, place: number): number | null {
  return messages.slice(0, place).findLast(({ createdAt }) => createdAt)?.createdAt ?? null
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
