/**
 * One request and its reply: appends the new messages of the prompt, builds the context, and appends the
 * reply with the usage that the provider reported.
 */
import type { ConversationHandle } from '../conversation/handle.ts'
import { defaults } from '../defaults-data.ts'
import type { Context } from '../domain/context.ts'
import type { Seq } from '../domain/ids.ts'
import type { JsonObject } from '../domain/json.ts'
import type { MessageInput } from '../domain/message.ts'
import { inputTokensOf } from '../domain/usage.ts'
import { isThroughlineError, ThroughlineError } from '../errors.ts'
import type { ContextInput } from '../flow/check/check-request.ts'
import type { Reading } from '../ports/adapter.ts'
import { sha256 } from '../system.ts'
import type { Finder, Found, Stamp } from './find-conversation.ts'
import { newMessages, type ReadMessage } from './read-messages.ts'

interface PromptRequest {
  /** The named conversation; the prompt may also continue one of its forks. */
  readonly conversation: string
  /** The conversation that the beginning of the prompt was rendered from. */
  readonly stamp: Stamp | null
  readonly model: string
  readonly system: Reading['system']
  readonly tools: Reading['tools']
  /** The call's limit on output tokens, if it has one. */
  readonly replyTokens: number | undefined
  readonly messages: readonly ReadMessage[]
}

export interface RecordedRequest {
  readonly chat: ConversationHandle
  /** The length of the log when the context was built. */
  readonly head: Seq
  readonly request: ContextInput
  readonly context: Context
}

/** Appends the new messages of a prompt to the conversation that it continues, and builds the context. */
export async function openRequest(finder: Finder, prompt: PromptRequest): Promise<RecordedRequest> {
  const { conversation, stamp, messages, model, system, tools, replyTokens } = prompt
  const atoms = messages.flatMap((message) => message.atoms)
  const request = { model, system, tools, replyTokens }
  for (let attempt = 0; attempt < defaults.commitAttempts; attempt += 1) {
    const found =
      stamp === null ? await finder.find(conversation, atoms) : await finder.findAfter(stamp, atoms)
    const head = await nullIfMoved(appendNew(found, messages))
    if (head === null) continue
    const context = await found.chat.context(request)
    // Another call may have appended messages that are not part of this prompt: try again.
    if (!context.messages.some(({ seq }) => seq !== null && seq >= head))
      return { chat: found.chat, head, request, context }
  }
  throw new ThroughlineError(
    'STORE_BUSY',
    `conversation "${conversation}" is being changed by other calls; try again`,
  )
}

/** Null if another call appended first. */
async function nullIfMoved<Value>(appending: Promise<Value>): Promise<Value | null> {
  try {
    return await appending
  } catch (error) {
    if (isThroughlineError(error) && error.code === 'LOG_MOVED') return null
    throw error
  }
}

/** Two simultaneous calls with the same prompt append it once. */
async function appendNew({ chat, newFrom, head }: Found, messages: readonly ReadMessage[]) {
  const inputs = newMessages(messages, newFrom)
  if (inputs.length === 0) return head
  const hashBytes = (_: string, value: unknown) =>
    value instanceof Uint8Array ? sha256(value) : value
  const texts = inputs.map((input) => JSON.stringify(input, hashBytes))
  const key = `call:${head}:${sha256(texts.join('\n'))}`
  return (await chat.append(inputs, { key, head })).head
}

/** `messages`: the reply; empty where nothing of it is kept. */
export async function appendReply(
  { chat, context, head }: RecordedRequest,
  messages: readonly MessageInput[],
  reportedUsage: object | null,
): Promise<void> {
  const usage = { ...reportedUsage }
  const hasUsage = (inputTokensOf(usage) ?? 0) > 0
  if (messages.length === 0 && !hasUsage) return
  const report = hasUsage ? { usage, of: context.fingerprint } : {}
  const appended =
    messages.length > 0 && (await nullIfMoved(chat.append(messages, { ...report, head })))
  // The log already has another reply to this prompt. The next prompt has this one, and becomes a fork.
  if (!appended) await chat.append([], report)
}

/**
 * Builds a smaller request after the provider refused this one as too long. Null for other errors, or if
 * it cannot be smaller: the caller then gets the error. Called at most once per request.
 */
export async function smallerRequest(recorded: RecordedRequest, error: unknown) {
  const { chat, context, request } = recorded
  if ((await chat.overflowed(context.fingerprint, error)) !== 'smaller') return null
  try {
    const smaller = await chat.context(request)
    return smaller.tokens < context.tokens ? { ...recorded, context: smaller } : null
  } catch (cause) {
    if (isThroughlineError(cause) && cause.code === 'CONTEXT_OVERFLOW') return null
    throw cause
  }
}

export function requestMetadata({ chat, context }: RecordedRequest): JsonObject {
  const { fingerprint, tokens, available, epoch } = context
  return { conversation: chat.id, fingerprint, tokens, available, epoch }
}
