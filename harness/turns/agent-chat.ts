/** A chat whose turns are remembered as an agent has it done, without a model. */
import { type ConversationHandle, createThroughline, policies, type Store } from 'throughline'
import { afterReply, type TurnRules } from 'throughline/turns'

export const model = 'house'

export function agentChat(store: Store, turns: Partial<TurnRules> = {}): ConversationHandle {
  const policy = { ...policies['turn-memory'], advanced: { turns } }
  const models = [{ id: model, contextWindowTokens: 64_000 }]
  return createThroughline({ store, policy, models }).conversation('c')
}

/** These turns, each of two messages, each remembered. */
export async function talkAbout(chat: ConversationHandle, from: number, to: number): Promise<void> {
  for (let turn = from; turn < to; turn += 1) {
    const [userMessage, finalResponse] = [`Is soup ${turn} good?`, `Soup ${turn} is good.`]
    await chat.append([
      { role: 'user', content: userMessage },
      { role: 'assistant', content: finalResponse },
    ])
    await afterReply(chat, { userMessage, finalResponse })
  }
}
