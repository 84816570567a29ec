/**
 * What Throughline shows instead of the messages before a cut: through the public API, with the shipped
 * policy, in the largest window whose context has no more text than requested.
 */
import { setImmediate } from 'node:timers/promises'
import {
  type Context,
  createThroughline,
  isThroughlineError,
  type MessageInput,
  type Store,
  type Tokenizer,
} from 'throughline'
import { memory } from 'throughline/stores/memory'
import { contentText } from '../../packages/throughline/src/cli/simulation/survival-along.ts'
import type { ConversationHandle } from '../../packages/throughline/src/conversation/handle.ts'
import { largestBelow } from './window.ts'

/** Sizes are in characters, so the tokenizer counts characters. */
const characters: Tokenizer = { id: 'characters', exact: true, count: (text) => text.length }

export interface Replaced {
  readonly context: Context
  /** All text that replaces the messages, including notes. */
  readonly text: string
  readonly chat: ConversationHandle
}

export interface Compactions {
  readonly system: string
  readonly messages: readonly MessageInput[]
  /** How many compactions, each after the same number of messages. */
  readonly times: number
}

/** Null if no window gives such a small context. */
export async function replacedBy(
  compactions: Compactions,
  charactersMost: number,
): Promise<Replaced | null> {
  const ask =
    compactions.times === 1 ? await onceAppended(compactions) : appendedInSteps(compactions)
  return largestBelow({ most: charactersMost, ask, sizeOf: ({ text }) => text.length })
}

type Ask = (windowTokens: number) => Promise<Replaced | null>

/** A view belongs to its model, so one log serves a model for each window. */
async function onceAppended({ system, messages }: Compactions): Promise<Ask> {
  const store = memory()
  await chatOf(store, 1).append(messages)
  return (windowTokens) => compacted(chatOf(store, windowTokens), windowTokens, system)
}

/** Each compaction depends on the previous one, so each window starts with an empty log. */
function appendedInSteps({ system, messages, times }: Compactions): Ask {
  return async (windowTokens) => {
    const chat = chatOf(memory(), windowTokens)
    let replaced: Replaced | null = null
    for (let time = 0; time < times; time += 1) {
      const from = Math.floor((messages.length * time) / times)
      const to = Math.floor((messages.length * (time + 1)) / times)
      await chat.append(messages.slice(from, to))
      replaced = await compacted(chat, windowTokens, system)
    }
    return replaced
  }
}

function chatOf(store: Store, windowTokens: number): ConversationHandle {
  const card = { id: modelOf(windowTokens), contextWindowTokens: windowTokens }
  return createThroughline({ store, tokenizer: characters, models: [card] }).conversation('cut')
}

function modelOf(windowTokens: number): string {
  return `characters-${windowTokens}`
}

/** Null if the window is too small for any context. */
async function compacted(
  chat: ConversationHandle,
  windowTokens: number,
  system: string,
): Promise<Replaced | null> {
  await chat.compactNextRequest()
  // Background work waits for the event loop and keeps its engine in memory.
  await setImmediate()
  try {
    const context = await chat.context({ model: modelOf(windowTokens), system })
    const text = context.messages.map(({ parts }) => contentText(parts)).join('\n')
    return { context, text, chat }
  } catch (error) {
    if (isThroughlineError(error) && error.code === 'CONTEXT_OVERFLOW') return null
    throw error
  }
}
