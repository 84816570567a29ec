/** A long conversation in a small window, with a fact that is asked for later. */
import type { Context } from '../domain/context.ts'
import type { MessageInput } from '../domain/message.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import { createThroughline } from '../throughline.ts'
import type { ConversationHandle } from './handle.ts'

type Options = NonNullable<Parameters<typeof createThroughline>[0]>

export const model = 'small'

export const models = [{ id: model, contextWindowTokens: 4_096 }] as const

const things = ['gate', 'lamp', 'yard', 'fence', 'barrel', 'rope', 'ladder', 'bucket', 'shed']
const thing = (index: number) => things[index % things.length]

function entry(index: number): string {
  return `Item ${index}: the ${thing(index)} beside the ${thing(index * 4 + 1)} was looked at, and somebody will come back to the ${thing(index * 7 + 2)} of row ${index} when there is time for it.`
}

/** Some six thousand tokens, the newest by the assistant. */
export function longTalk(
  others: Readonly<Record<number, string>> = { [zeppelinAt]: zeppelin },
  length = 121,
): readonly MessageInput[] {
  return Array.from({ length }, (_, index) => ({
    role: index % 2 === 0 && index < length - 1 ? 'user' : 'assistant',
    content: others[index] ?? entry(index),
  }))
}

export const zeppelinAt = 20
export const zeppelin = 'The zeppelin lands behind the quarry at nine; bring the orange flag.'
export const question = 'Where does the zeppelin land?'

function begin(options: Options = {}) {
  const tl = createThroughline({ models, clock: fakeClock(), ...options })
  return { tl, chat: tl.conversation('c') }
}

export async function talkedLong(options: Options = {}, messages = longTalk()) {
  const { tl, chat } = begin(options)
  await chat.append(messages)
  return { tl, chat }
}

/** Appends a user message and returns the context for the answer. */
export async function says(chat: ConversationHandle, content: string): Promise<Context> {
  await chat.append([{ role: 'user', content }])
  return chat.context({ model })
}

export async function answers(chat: ConversationHandle, content = 'Yes.'): Promise<void> {
  await chat.append([{ role: 'assistant', content }])
}

export function recalledIn({ messages }: Pick<Context, 'messages'>): readonly string[] {
  return messages.flatMap(({ slot, parts }) =>
    slot === 'recalled' ? parts.map((part) => (part.type === 'text' ? part.text : '')) : [],
  )
}

export const bytesOf = ({ messages, system }: Context) => JSON.stringify({ messages, system })

/** Whether one context begins with all messages of the other. */
export function extendsIt(context: Context, before: Context): boolean {
  const spelled = ({ messages }: Context) =>
    messages.map(({ slot: _, ...message }) => JSON.stringify(message))
  const all = spelled(context)
  return spelled(before).every((message, index) => message === all[index])
}
