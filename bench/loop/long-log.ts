import type { ConversationHandle } from 'throughline'
import { messagesPerTurn, turnMessages } from '../turn/messages.ts'

export const loopModel = 'window-8192'

export const loopModels = [
  { id: loopModel, contextWindowTokens: 8_192, tokenizer: 'o200k_base' },
] as const

const turnsPerBatch = 500

/** Without a context, so that nothing was compacted or indexed. */
export async function fillLong(chat: ConversationHandle, messages: number): Promise<void> {
  for (let turn = 0; turn * messagesPerTurn < messages; turn += turnsPerBatch) {
    const turns = Array.from({ length: turnsPerBatch }, (_, at) => turnMessages(turn + at, 3))
    await chat.append(turns.flat())
  }
}
