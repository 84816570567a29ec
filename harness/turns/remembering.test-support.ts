/** A chat whose turns are remembered, as an agent does after every reply. */
import {
  type Context,
  type ConversationHandle,
  createThroughline,
  type MessageInput,
  type PolicyInput,
  policies,
  type Store,
  type Throughline,
  type ThroughlineOptions,
} from 'throughline'
import { memory } from 'throughline/stores/memory'
import { afterReply, type TurnRules } from 'throughline/turns'
import { change } from '../../packages/throughline/src/derived/changes.test-support.ts'
import { loadTurns } from '../../packages/throughline/src/derived/rows.ts'
import type {
  StepRecord,
  TurnKnowledge,
  TurnRecord,
} from '../../packages/throughline/src/domain/turn-memory.ts'
import { fakeClock } from '../../packages/throughline/src/testing/fake-clock.ts'
import { tenantOf } from '../../packages/throughline/src/testing/store-cases/case.test-support.ts'
import {
  historyOf,
  nothingKnown,
  stepRecord,
  turnRecord,
} from '../../packages/throughline/src/turns/turn-records.test-support.ts'

/** A token is four characters. */
const tokenizer = {
  id: 'fours/1',
  exact: true,
  count: (text: string) => Math.ceil(text.length / 4),
}

interface RememberingChat {
  readonly tl: Throughline
  readonly chat: ConversationHandle
  /** Appends a turn: a question, tool messages and the answer. */
  talk(turn: number, done?: readonly MessageInput[]): Promise<void>
  /** Remembers the messages since the previous turn. */
  remember(changes?: Remembering, to?: ConversationHandle): Promise<void>
}

export interface Remembering {
  readonly record?: Partial<TurnRecord>
  readonly knows?: Partial<TurnKnowledge>
  readonly steps?: readonly Partial<StepRecord>[]
}

export function rememberingChat(
  options: ThroughlineOptions & { readonly window?: number; readonly policy?: PolicyInput } = {},
): RememberingChat {
  const { window = 32_000, policy = 'turn-memory', ...rest } = options
  const { store = memory() } = rest
  const models = [
    { id: 'house', contextWindowTokens: window },
    { id: 'other', contextWindowTokens: window * 4 },
  ]
  const tl = createThroughline({ ...rest, store, policy, models, tokenizer, clock: fakeClock() })
  const chat = tl.conversation('c')
  return {
    tl,
    chat,
    talk: async (turn, done = []) => {
      await chat.append([
        { role: 'user', content: `Question ${turn}?` },
        ...done,
        { role: 'assistant', content: `Answer ${turn}.` },
      ])
    },
    remember: async ({ record, knows, steps = [] } = {}, to = chat) => {
      const tenant = tenantOf(store)
      const [newest] = (await loadTurns(tenant, { id: to.id, before: null, limit: 1 })) ?? []
      const turn = (newest?.turn ?? 0) + 1
      const from = newest?.messages.to ?? 0
      const records = steps.map((step, at) => stepRecord(turn, at, step))
      const remembered = turnRecord({
        turn,
        messages: { from, to: (await to.info())?.head ?? 0 },
        steps: records.map(({ result: _, ...digest }) => digest),
        knows: { ...nothingKnown, history: historyOf(turn - 3), ...knows },
        ...record,
      })
      await change(
        tenant,
        { remembered: { record: remembered, steps: records, asking: null } },
        to.id,
      )
    },
  }
}

/** Remembered turns of two messages each, followed by a question. */
export async function talkedFor(
  turns: number,
  options: Parameters<typeof rememberingChat>[0] = {},
  each: (turn: number) => Remembering = () => ({}),
): Promise<RememberingChat> {
  const remembering = rememberingChat(options)
  for (let turn = 1; turn <= turns; turn += 1) {
    await remembering.talk(turn)
    await remembering.remember(each(turn))
  }
  await remembering.chat.append({ role: 'user', content: 'And now?' })
  return remembering
}

/** The positions of the log messages that a context shows. */
export function placesIn({ messages }: Pick<Context, 'messages'>): readonly number[] {
  return messages.flatMap(({ seq }) => (seq === null ? [] : [seq]))
}

export function textIn({ messages }: Pick<Context, 'messages'>, slot: string): string {
  return messages
    .filter((message) => message.slot === slot)
    .flatMap(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : '')))
    .join('\n')
}

export const model = 'house'

/** A chat for `afterReply` without a summarizer. */
export function agentChat(store: Store, turns: Partial<TurnRules> = {}): ConversationHandle {
  const policy = { ...policies['turn-memory'], advanced: { turns } }
  const models = [{ id: model, contextWindowTokens: 64_000 }]
  return createThroughline({ store, policy, models }).conversation('c')
}

/** Appends and remembers turns of two messages each. */
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
