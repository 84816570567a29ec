/**
 * One request to a model and its reply: what is new in the prompt goes to the log, the
 * context is asked for, and the reply is appended with what the provider reported.
 */

import type { ConversationHandle } from '../conversation/handle.ts'
import { defaults } from '../defaults.ts'
import type { Context } from '../domain/context.ts'
import type { Seq } from '../domain/ids.ts'
import type { JsonObject } from '../domain/json.ts'
import type { MessageStatus } from '../domain/message.ts'
import type { MessageInput } from '../domain/message-input.ts'
import { inputTokensOf } from '../domain/usage.ts'
import { isThroughlineError, ThroughlineError } from '../errors.ts'
import type { ContextInput } from '../flow/check/check-request.ts'
import type { Reading } from '../ports/adapter.ts'
import { sha256 } from '../system.ts'
import type { ContentPart } from './call.ts'
import type { Finder, Found } from './find-conversation.ts'
import { newMessages, type ReadMessage } from './read-prompt.ts'
import { replyMessage } from './reply.ts'
import type { Stamp } from './stamps.ts'

export interface Asked {
  /** The conversation that was named, whose forks count too … */
  readonly conversation: string
  /** … or what the beginning of the prompt was made from. */
  readonly stamp: Stamp | null
  readonly model: string
  readonly system: Reading['system']
  readonly tools: Reading['tools']
  /** The longest reply that the call asks for, where that is known. */
  readonly replyTokens: number | undefined
  readonly messages: readonly ReadMessage[]
}

export interface KeptRequest {
  readonly chat: ConversationHandle
  /** How long the log was when the context was made. */
  readonly head: Seq
  readonly request: ContextInput
  readonly context: Context
}

export async function openRequest(finder: Finder, asked: Asked): Promise<KeptRequest> {
  const { conversation, stamp, messages, model, system, tools, replyTokens } = asked
  const atoms = messages.flatMap((message) => message.atoms)
  const request = { model, system, tools, replyTokens }
  for (let attempt = 0; attempt < defaults.commitAttempts.value; attempt += 1) {
    const found =
      stamp === null ? await finder.find(conversation, atoms) : await finder.behind(stamp, atoms)
    const head = await unlessMoved(appendNew(found, messages))
    if (head === null) continue
    const context = await found.chat.context(request)
    // What another call has added meanwhile is no part of this prompt.
    if (!context.messages.some(({ seq }) => seq !== null && seq >= head))
      return { chat: found.chat, head, request, context }
  }
  throw new ThroughlineError('STORE_BUSY', `conversation "${conversation}" changes all the time`)
}

/** Null where somebody else was faster. */
async function unlessMoved<Value>(appending: Promise<Value>): Promise<Value | null> {
  try {
    return await appending
  } catch (error) {
    if (isThroughlineError(error) && error.code === 'LOG_MOVED') return null
    throw error
  }
}

/** Two calls with the same prompt at the same time add it once. */
async function appendNew(
  { chat, newFrom, head }: Found,
  messages: readonly ReadMessage[],
): Promise<Seq> {
  const inputs = newMessages(messages, newFrom)
  if (inputs.length === 0) return head
  const key = `ai-sdk:${head}:${sha256(inputs.map(textOf).join('\n'))}`
  return (await chat.append(inputs, { key, head })).head
}

function textOf(input: MessageInput): string {
  return JSON.stringify(input, (_, value: unknown) =>
    value instanceof Uint8Array ? sha256(value) : value,
  )
}

/** Appends a reply, once, with what the provider reported for the request. */
export async function appendReply(
  { chat, context, head }: KeptRequest,
  content: readonly ContentPart[],
  reported: { readonly usage: object | null; readonly status: MessageStatus },
): Promise<void> {
  const message = replyMessage(content, reported.status)
  const usage = { ...reported.usage }
  const counted = (inputTokensOf(usage) ?? 0) > 0
  if (message === null && !counted) return
  const report = counted ? { usage, of: context.fingerprint } : {}
  const appended =
    message !== null && (await unlessMoved(chat.append([message], { ...report, head })))
  // A reply to the same prompt is there already. This one is told by the next prompt, in a fork.
  if (!appended) await chat.append([], report)
}

/**
 * The same request, smaller, after a provider refused it as too long; null where that is
 * not what the error says, or where nothing can be made smaller: the error is then the
 * caller's. It is asked for once, so there is no loop.
 */
export async function smallerRequest(
  kept: KeptRequest,
  error: unknown,
): Promise<KeptRequest | null> {
  const { chat, context, request } = kept
  if ((await chat.overflowed(context.fingerprint, error)) !== 'smaller') return null
  try {
    const smaller = await chat.context(request)
    return smaller.tokens < context.tokens ? { ...kept, context: smaller } : null
  } catch (cause) {
    if (isThroughlineError(cause) && cause.code === 'CONTEXT_OVERFLOW') return null
    throw cause
  }
}

/** What a result says of the request that led to it. */
export function requestMetadata({ chat, context }: KeptRequest): JsonObject {
  const { fingerprint, tokens, available, epoch } = context
  return { conversation: chat.id, fingerprint, tokens, available, epoch }
}
