/**
 * What Throughline shows in place of the messages before a cut: through the public face, on
 * the shipped policy, in the largest window whose context has no more text than asked for.
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

/** Sizes are asked for in characters, so the model counts them. */
const characters: Tokenizer = { id: 'characters', exact: true, count: (text) => text.length }

export interface Replaced {
  readonly context: Context
  /** All text that stands in place of the messages, notes included. */
  readonly text: string
  readonly chat: ConversationHandle
}

export interface Compactions {
  readonly system: string
  readonly messages: readonly MessageInput[]
  /** Compacted so many times, each time behind as many messages. */
  readonly times: number
}

/** Null where no window gives a context so small. */
export async function replacedBy(
  compactions: Compactions,
  charactersMost: number,
): Promise<Replaced | null> {
  const ask = compactions.times === 1 ? await onceAppended(compactions) : anew(compactions)
  return largestBelow({ most: charactersMost, ask, sizeOf: ({ text }) => text.length })
}

type Ask = (windowTokens: number) => Promise<Replaced | null>

/** A view belongs to its model, so one log serves a model of each window. */
async function onceAppended({ system, messages }: Compactions): Promise<Ask> {
  const store = memory()
  await chatOf(store, 1).append(messages)
  return (windowTokens) => compacted(chatOf(store, windowTokens), windowTokens, system)
}

/** What was compacted before is part of what is compacted next, so each window begins anew. */
function anew({ system, messages, times }: Compactions): Ask {
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

/** Null where the window is too small for any context. */
async function compacted(
  chat: ConversationHandle,
  windowTokens: number,
  system: string,
): Promise<Replaced | null> {
  await chat.compact()
  // Work in the background waits for a turn of the event loop, and keeps its engine in memory.
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
