/**
 * One request and its reply: appends the new messages of the prompt, builds the context, and appends the
 * reply with the usage that the provider reported.
 */
import { aiSdk } from '../adapters/ai-sdk.ts'
import { type Fields, otherFields, parsedJson } from '../adapters/unknown-json.ts'
import type { ConversationHandle } from '../conversation/handle.ts'
import { defaults } from '../defaults-data.ts'
import type { Context } from '../domain/context.ts'
import type { Seq } from '../domain/ids.ts'
import type { JsonObject } from '../domain/json.ts'
import type { MessageInput, MessageStatus } from '../domain/message.ts'
import { inputTokensOf } from '../domain/usage.ts'
import { isThroughlineError, ThroughlineError } from '../errors.ts'
import type { ContextInput } from '../flow/check/check-request.ts'
import type { Reading } from '../ports/adapter.ts'
import { sha256 } from '../system.ts'
import { fieldsOfPart, type ReplyPart } from './call.ts'
import type { Finder, Found } from './find-conversation.ts'
import { wholeParts } from './parts-data.ts'
import { newMessages, type ReadMessage, type Stamp } from './read-prompt.ts'

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
  for (let attempt = 0; attempt < defaults.commitAttempts.value; attempt += 1) {
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
  const key = `ai-sdk:${head}:${sha256(texts.join('\n'))}`
  return (await chat.append(inputs, { key, head })).head
}

export async function appendReply(
  { chat, context, head }: RecordedRequest,
  content: readonly ReplyPart[],
  reported: { readonly usage: object | null; readonly status: MessageStatus },
): Promise<void> {
  const message = replyMessage(content, reported.status)
  const usage = { ...reported.usage }
  const hasUsage = (inputTokensOf(usage) ?? 0) > 0
  if (message === null && !hasUsage) return
  const report = hasUsage ? { usage, of: context.fingerprint } : {}
  const appended =
    message !== null && (await nullIfMoved(chat.append([message], { ...report, head })))
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

function replyMessage(content: readonly ReplyPart[], status: MessageStatus): MessageInput | null {
  const kept = content.map(fieldsOfPart).filter(isKept)
  if (kept.length === 0) return null
  const promptMessage = { role: 'assistant', content: kept.map(promptPart) }
  const [message] = aiSdk.read({ messages: [promptMessage] }).messages
  if (message === undefined || typeof message.content === 'string') return null
  const parts = message.content.map((part, index) => {
    const { input } = kept[index] ?? {}
    // Keep the original text of the arguments; serializing a parsed value could change it.
    return part.type === 'tool-call' && typeof input === 'string' ? { ...part, input } : part
  })
  return { ...message, content: parts, status }
}

/** Omits sources, which models do not need, and preliminary results, which the final one replaces. */
function isKept({ type, text, providerMetadata, preliminary }: Fields): boolean {
  if (type === 'source' || preliminary === true) return false
  return type !== 'text' || text !== '' || providerMetadata !== undefined
}

/** A part of a reply as the SDK would put it into the next prompt. */
function promptPart(part: Fields): Fields {
  const { providerMetadata, ...fields } = part
  const options = providerMetadata === undefined ? {} : { providerOptions: providerMetadata }
  const { type, toolCallId, toolName, providerExecuted, result } = part
  const names = { type, toolCallId, toolName }
  switch (type) {
    case 'tool-call': {
      const executed = providerExecuted === undefined ? {} : { providerExecuted }
      return { ...names, input: inputOf(part['input']), ...executed, ...options }
    }
    case 'tool-result':
      return { ...names, output: outputOf(result, part['isError'] === true), ...options }
    default:
      return { ...fields, ...options }
  }
}

function inputOf(input: unknown): unknown {
  const value = typeof input === 'string' ? parsedJson(input) : input
  return value === undefined && typeof input === 'string' ? {} : value
}

function outputOf(result: unknown, isError: boolean): Fields {
  const type = typeof result === 'string' ? 'text' : 'json'
  return { type: isError ? 'error-json' : type, value: result ?? null }
}

interface StreamedBlock {
  readonly type: string
  text: string
  providerMetadata: unknown
}

/** Collects the parts of a stream into a reply. */
export function collectReply() {
  // In the order in which blocks started.
  const content: (StreamedBlock | ReplyPart)[] = []
  const blocks = new Map<string, StreamedBlock>()
  // Null until the stream has ended.
  let usage: object | null = null
  return {
    take(part: ReplyPart): void {
      const { id, delta, providerMetadata, usage: reported } = fieldsOfPart(part)
      const [, type, step] = /^(text|reasoning)-(start|delta|end)$/.exec(part.type) ?? []
      if (wholeParts.has(part.type)) content.push(part)
      if (part.type === 'finish') usage = { ...(reported as object) }
      if (type === undefined) return
      const key = `${type} ${id}`
      let block = step === 'start' ? undefined : blocks.get(key)
      if (block === undefined) {
        block = { type, text: '', providerMetadata: undefined }
        content.push(block)
        blocks.set(key, block)
      }
      if (typeof delta === 'string') block.text += delta
      // The newest metadata replaces older: signatures arrive with the end of a block.
      block.providerMetadata = providerMetadata ?? block.providerMetadata
    },
    reply: () => ({
      content: content.map((part) => ({ ...otherFields({ ...part }, []), type: part.type })),
      usage,
    }),
  }
}
