/** An agent's memory of its turns on a server: the functions of `throughline/turns` that take a conversation. */
import type { ConversationHandle } from 'throughline'
import type {
  AfterReply,
  AfterReplyInput,
  AfterReplyOptions,
  RememberedTurnsInput,
  StepKey,
  StepRecord,
  TurnMemory,
  TurnRecord,
} from 'throughline/turns'
import { wholePlace } from './anchors.ts'
import { read, readItems, readOrNull, readPages } from './answers.ts'
import { remoteChatOf } from './remote-conversation.ts'

/**
 * Remembers a turn of an agent after its reply.
 *
 * @example
 * await afterReply(chat, { userMessage: 'Save it.', finalResponse: 'Done.' }, { key: 'turn-7' })
 */
export async function afterReply(
  chat: ConversationHandle,
  input: AfterReplyInput,
  { signal, ...options }: AfterReplyOptions = {},
): Promise<AfterReply> {
  const { sender, at } = remoteChatOf(chat, 'afterReply')
  const body = { turn: input, allowMissing: true, ...options }
  return read(sender, { method: 'POST', path: at('memory', 'turns'), body, signal })
}

/**
 * Reads the memory after the last turn, with entities.
 *
 * @example
 * const { theme, pending } = await turnMemory(chat)
 */
export async function turnMemory(chat: ConversationHandle): Promise<TurnMemory> {
  const { sender, at } = remoteChatOf(chat, 'turnMemory')
  const call = { path: at('memory') }
  const memory = await readOrNull(
    sender,
    call,
    (response) => response.json() as Promise<TurnMemory>,
  )
  return memory ?? noMemory
}

const noMemory: TurnMemory = {
  ...{ turn: 0, to: 0, recentTurns: [], history: [], theme: null, pending: null },
  ...{ activeEntities: [], entities: [], steps: [], stepDigests: [] },
}

/**
 * The records of remembered turns, newest first.
 *
 * @example
 * const [newest] = await rememberedTurns(chat, { limit: 1 })
 */
export async function rememberedTurns(
  chat: ConversationHandle,
  { before, limit = 20, ...rest }: RememberedTurnsInput = {},
): Promise<readonly TurnRecord[]> {
  const { sender, at } = remoteChatOf(chat, 'rememberedTurns')
  return readPages<TurnRecord>(limit, (last, most) => {
    const query = { cursor: last?.turn ?? before, limit: most, ...rest }
    return readItems(sender, { path: at('memory', 'turns'), query })
  })
}

/**
 * The complete result of a step of any turn; null if there is no such step.
 *
 * @example
 * const step = await stepResult(chat, { turn: 4, step: 1 })
 */
export async function stepResult(
  chat: ConversationHandle,
  { turn, step }: StepKey,
): Promise<StepRecord | null> {
  const { sender, at } = remoteChatOf(chat, 'stepResult')
  const path = at('memory', 'turns', wholePlace(turn), 'steps', wholePlace(step))
  return readOrNull(sender, { path }, (response) => response.json() as Promise<StepRecord>)
}
