/** Chats whose summaries are written in the background, and a model that can be held back. */
import { createAnthropic } from '@ai-sdk/anthropic'
import type { Context, ConversationHandle, LanguageModel } from 'throughline'
import { languageModel } from 'throughline/models'
import { exchange, model, type SetUp } from './set-up.ts'

/** The model that the design names, at a fault server. */
export function claude(url: string, fetch?: typeof globalThis.fetch): LanguageModel {
  const anthropic = createAnthropic({
    baseURL: url,
    apiKey: 'test-key',
    ...(fetch !== undefined && { fetch }),
  })
  return languageModel(anthropic('claude-haiku-4-5'), { timeoutMs: 5_000 })
}

/** A model whose requests wait for `release` before they are sent. */
export interface HeldModel {
  readonly summarizer: (url: string) => LanguageModel
  /** How many requests wait now, and the highest number so far. */
  waiting(): number
  most(): number
  release(): void
}

export function heldModel(asked: () => Promise<void> = async () => {}): HeldModel {
  const released = Promise.withResolvers<void>()
  let waiting = 0
  let most = 0
  return {
    summarizer: (url) =>
      claude(url, async (...request) => {
        waiting += 1
        most = Math.max(most, waiting)
        await asked()
        await released.promise
        const response = await fetch(...request)
        waiting -= 1
        return response
      }),
    waiting: () => waiting,
    most: () => most,
    release: () => released.resolve(),
  }
}

/** Talks so slowly that every summary is finished before the next message. */
export async function talkSlowly(
  { chat, tl }: Pick<SetUp, 'chat' | 'tl'>,
  {
    from,
    to,
    turn = exchange,
    ask = () => chat.context({ model }),
  }: {
    readonly from: number
    readonly to: number
    readonly turn?: typeof exchange
    readonly ask?: (index: number) => Promise<Context>
  },
): Promise<readonly Context[]> {
  const contexts: Context[] = []
  for (let index = from; index < to; index += 1) {
    const [question, answer] = turn(index)
    await chat.append(question)
    contexts.push(await ask(index))
    await tl.settled()
    await chat.append(answer)
    await tl.settled()
  }
  return contexts
}

/** Per summary, oldest first: the log's length at its request, and the messages that it covers. */
export async function written(
  chat: ConversationHandle,
): Promise<readonly (readonly [messages: number, covered: number])[]> {
  const summaries = await chat.summaries()
  return summaries.map(({ head, covers }) => [head, covers.to] as const).toReversed()
}

/** The slots of a context, in order. */
export function slotsOf({ system, messages }: Context): readonly string[] {
  const slots = messages.map(({ slot }) => slot)
  return [
    ...(system.length === 0 ? [] : ['system']),
    ...slots.filter((slot, at) => slot !== slots[at - 1]),
  ]
}

/** The tokens of a section; 0 if there is none. */
export function tokensOf({ sections }: Context, kind: string): number {
  return sections.find((section) => section.kind === kind)?.tokens ?? 0
}
