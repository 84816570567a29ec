/**
 * One OpenAI chat message as ours. Messages of a conversation go through one
 * `ChatMessages`, because a legacy function result names no call: it answers the
 * last one.
 */

import type {
  FileInput,
  JsonObject,
  JsonValue,
  MessageInput,
  PartInput,
  Role,
  TextInput,
} from '../../index.ts'
import {
  contentParts,
  fileAt,
  opaquePart,
  type PlainPart,
  textPart,
  toolOutput,
} from '../content-parts.ts'
import { countOf, fieldOf, filledTextOf, listOf, metaOf, textOf } from '../json/json-access.ts'
import { type ExactText, exactTexts, textsAt } from '../json/raw-json.ts'
import type { ReportedUsage } from '../transcript.ts'
import { anthropicParts, userRole } from './anthropic-content.ts'

export type ChatSpeech = Pick<MessageInput, 'role' | 'content' | 'author' | 'meta'>

export class ChatMessages {
  #lastFunctionCall: string | null = null

  /** `text` is the exact text of the message, `made` names it where a call id is missing. */
  read(message: JsonObject, text: string, made: string): ChatSpeech | null {
    const content = chatContent(message, text)
    const author = filledTextOf(message, 'name') ?? undefined
    switch (textOf(message, 'role')) {
      case 'system':
        return { role: 'system', content, author }
      case 'developer':
        return { role: 'system', content, author, meta: { role: 'developer' } }
      case 'user':
        return { role: 'user', content: [...content, ...chatCalls(message, text, made)], author }
      case 'assistant':
        return { role: 'assistant', content: this.#answer(message, content, text, made), author }
      case 'tool': {
        const callId = filledTextOf(message, 'tool_call_id') ?? filledTextOf(message, 'id')
        return { role: 'tool', content: [resultPart(message, callId ?? made, content)] }
      }
      case 'function': {
        const callId = this.#lastFunctionCall ?? made
        return { role: 'tool', content: [resultPart(message, callId, content)] }
      }
      default:
        return null
    }
  }

  #answer(
    message: JsonObject,
    content: readonly PlainPart[],
    text: string,
    made: string,
  ): PartInput[] {
    const reasoning = textOf(message, 'reasoning_content') ?? textOf(message, 'reasoning')
    const refusal = textOf(message, 'refusal')
    const legacy = functionCall(message, text, `${made}.function_call`)
    if (legacy !== null) this.#lastFunctionCall = `${made}.function_call`
    return [
      ...(reasoning ? [{ type: 'reasoning', text: reasoning } as const] : []),
      ...content,
      ...(refusal ? [refusalPart(refusal)] : []),
      ...(legacy === null ? [] : [legacy]),
      ...chatCalls(message, text, made),
    ]
  }
}

function resultPart(message: JsonObject, callId: string, content: readonly PlainPart[]): PartInput {
  return {
    type: 'tool-result',
    callId,
    name: filledTextOf(message, 'name') ?? undefined,
    output: toolOutput(content),
    isError: fieldOf(message, 'error') === true,
    metadata: metaOf({ requestor: textOf(message, 'requestor') }),
  }
}

/** `usage` of a chat completion. */
export function chatUsage(usage: JsonValue | undefined): ReportedUsage | null {
  const inputTokens = countOf(usage, 'prompt_tokens')
  if (inputTokens === null || inputTokens === 0) return null
  return {
    inputTokens,
    outputTokens: countOf(usage, 'completion_tokens'),
    cacheReadTokens: countOf(fieldOf(usage, 'prompt_tokens_details'), 'cached_tokens'),
    cacheWriteTokens: null,
  }
}

/** Content and tool calls of an OpenAI chat message as our parts. */
/** `text` is the exact text of the message. */
function chatContent(message: JsonValue, text: string): PlainPart[] {
  return chatParts(
    fieldOf(message, 'content'),
    exactTexts(() => text, ['content']),
  )
}

export function chatParts(content: JsonValue | undefined, exact: ExactText): PlainPart[] {
  return contentParts(content, exact, contentPart)
}

function contentPart(part: JsonValue, exact: () => string): PlainPart {
  if (typeof part === 'string') return textPart(part)
  const type = filledTextOf(part, 'type')
  const text = textOf(part, 'text')
  if ((type === 'text' || type === 'input_text' || type === 'output_text') && text !== null)
    return textPart(text)
  const refusal = textOf(part, 'refusal')
  if (type === 'refusal' && refusal !== null) return refusalPart(refusal)
  const image = type === 'image_url' || type === 'input_image'
  const file = image ? imagePart(fieldOf(part, 'image_url')) : null
  return file ?? opaquePart(`openai/${type ?? 'unknown'}`, exact())
}

function imagePart(image: JsonValue | undefined): FileInput | null {
  const url = typeof image === 'string' ? image : textOf(image, 'url')
  return fileAt(url ?? '', 'image/*')
}

function refusalPart(text: string): TextInput {
  return { type: 'text', text, metadata: { refusal: true } }
}

/** `made` is what the id of a call is made of that came without one. */
function chatCalls(message: JsonValue, text: string, made: string): PartInput[] {
  const exact = exactTexts(() => text, ['tool_calls'])
  return listOf(message, 'tool_calls').map((call, index) => {
    const callId = filledTextOf(call, 'id') ?? `${made}.tool_calls[${index}]`
    return callPart(call, callId, () => exact(index))
  })
}

function callPart(call: JsonValue, callId: string, exact: () => string): PartInput {
  const kind = ['function', 'custom'].find((key) => fieldOf(call, key) !== undefined)
  const body = kind === undefined ? call : fieldOf(call, kind)
  const name = filledTextOf(body, 'name')
  if (name === null) return opaquePart('openai/tool_call', exact())
  const argument = kind === 'custom' ? 'input' : 'arguments'
  const path = kind === undefined ? [argument] : [kind, argument]
  const input = argumentsText(body, argument, exact, path)
  // tau2-bench: users call tools of their own, and the call says who asked for it.
  const metadata = metaOf({ requestor: textOf(call, 'requestor') })
  return { type: 'tool-call', callId, name, input, metadata }
}

/** Arguments that are a text are JSON already; anything else is cut out as it stands. */
function argumentsText(
  body: JsonValue | undefined,
  argument: string,
  exact: () => string,
  path: readonly string[],
): string {
  const given = fieldOf(body, argument)
  if (typeof given === 'string' && argument === 'arguments') return given
  return [...textsAt(exact(), path).values()].at(-1) ?? '{}'
}

/** The call of the days before `tool_calls`: at most one, and without an id. */
function functionCall(message: JsonValue, text: string, callId: string): PartInput | null {
  const call = fieldOf(message, 'function_call')
  const name = filledTextOf(call, 'name')
  if (name === null) return null
  const exact = () => textsAt(text, ['function_call']).get('function_call') ?? '{}'
  return {
    type: 'tool-call',
    callId,
    name,
    input: argumentsText(call, 'arguments', exact, ['arguments']),
  }
}

/** `chat` is of the conversation; `text` is the exact text, `made` names a call without an id. */
export function eitherSpeech(
  chat: ChatMessages,
  message: JsonObject,
  text: string,
  made: string,
): ChatSpeech | null {
  if (!hasBlocks(message)) return chat.read(message, text, made)
  const exact = exactTexts(() => text, ['content'])
  const blocks = anthropicParts(fieldOf(message, 'content'), exact)
  const content = [...blocks, ...chatCalls(message, text, made)]
  const author = filledTextOf(message, 'name') ?? undefined
  return { role: roleOf(message, content), content, author }
}

/** Results of tools have OpenAI's form unless they say themselves whose they are. */
function hasBlocks(message: JsonObject): boolean {
  const content = listOf(message, 'content')
  switch (textOf(message, 'role')) {
    case 'user':
    case 'assistant':
      return content.some(isBlock)
    case 'tool':
      return content.some((block) => textOf(block, 'type') === 'tool_result')
    default:
      return false
  }
}

function isBlock(block: JsonValue): boolean {
  switch (textOf(block, 'type')) {
    case 'tool_use':
    case 'tool_result':
    case 'thinking':
    case 'redacted_thinking':
      return true
    case 'image':
    case 'document':
      return fieldOf(block, 'source') !== undefined
    default:
      return false
  }
}

function roleOf(message: JsonObject, content: readonly PartInput[]): Role {
  switch (textOf(message, 'role')) {
    case 'assistant':
      return 'assistant'
    case 'tool':
      return 'tool'
    default:
      return userRole(content)
  }
}
