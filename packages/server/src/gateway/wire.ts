/** The four APIs as data: what the gateway must know to cut their requests and to read their answers. */
import type { Deliverable, MessageInput } from 'throughline'
import {
  anthropicMessages,
  geminiContents,
  openaiChat,
  openaiResponses,
} from 'throughline/adapters'
import { type AnswerForm, type Fields, fieldsOf, listOf, objectsIn } from './answer.ts'
import { anthropicAnswer } from './anthropic-answer.ts'
import { geminiAnswer } from './gemini-answer.ts'
import { openaiChatAnswer } from './openai-chat-answer.ts'
import { openaiResponsesAnswer } from './openai-responses-answer.ts'

export type Family = 'anthropic' | 'openai' | 'gemini'

type Reading = ReturnType<typeof openaiChat.read>

export interface Wire {
  readonly family: Family
  readonly name: 'anthropic-messages' | 'openai-chat' | 'openai-responses' | 'gemini-contents'
  /** The field with the messages. */
  readonly list: 'messages' | 'input' | 'contents'
  /** The field of a message with its blocks, where the API wants sides to alternate. */
  readonly joins: 'content' | 'parts' | null
  readonly answer: AnswerForm
  /** Throws where the request is not one of this API. */
  read(body: Fields): Reading
  /** The messages of a context, without system prompt and tools. */
  write(context: Deliverable): readonly Fields[]
  isOfModel(message: Fields): boolean
  /** The longest answer that the request asks for. */
  replyTokens(body: Fields): number | null
}

const anthropic: Wire = {
  ...{ family: 'anthropic', name: 'anthropic-messages', list: 'messages', joins: 'content' },
  answer: anthropicAnswer,
  read: (body) => anthropicMessages.read(body as unknown as AnthropicInput),
  write: (context) => objectsIn(anthropicMessages.write(context).messages),
  isOfModel: ({ role }) => role === 'assistant',
  replyTokens: (body) => countOf(body['max_tokens']),
}

const chat: Wire = {
  ...{ family: 'openai', name: 'openai-chat', list: 'messages', joins: null },
  answer: openaiChatAnswer,
  read: (body) => openaiChat.read(body as unknown as ChatInput),
  write: (context) => objectsIn(openaiChat.write(context).messages),
  isOfModel: ({ role }) => role === 'assistant',
  replyTokens: (body) => countOf(body['max_completion_tokens']) ?? countOf(body['max_tokens']),
}

const responses: Wire = {
  ...{ family: 'openai', name: 'openai-responses', list: 'input', joins: null },
  answer: openaiResponsesAnswer,
  read: (body) => openaiResponses.read(body as unknown as ResponsesInput),
  write: (context) => objectsIn(openaiResponses.write(context).input),
  isOfModel: ({ type, role }) =>
    role === undefined ? !String(type).endsWith('_output') : role === 'assistant',
  replyTokens: (body) => countOf(body['max_output_tokens']),
}

const gemini: Wire = {
  ...{ family: 'gemini', name: 'gemini-contents', list: 'contents', joins: 'parts' },
  answer: geminiAnswer,
  read: (body) => geminiContents.read(body as unknown as GeminiInput),
  write: (context) => objectsIn(geminiContents.write(context).contents),
  isOfModel: ({ role }) => role === 'model',
  replyTokens: (body) => countOf(fieldsOf(body['generationConfig'])?.['maxOutputTokens']),
}

export const wires = { anthropic, chat, responses, gemini } as const

type AnthropicInput = Parameters<typeof anthropicMessages.read>[0]
type ChatInput = Parameters<typeof openaiChat.read>[0]
type ResponsesInput = Parameters<typeof openaiResponses.read>[0]
type GeminiInput = Parameters<typeof geminiContents.read>[0]

/** Reads an answer as messages to store; the request before it gives calls of Gemini their ids. */
export function readAnswer(
  wire: Wire,
  body: Fields,
  answer: readonly object[],
): readonly MessageInput[] {
  if (answer.length === 0) return []
  const before = wire.name === 'gemini-contents' ? listOf(body[wire.list]) : []
  const { messages } = wire.read({ [wire.list]: [...before, ...answer] })
  return messages.slice(-answer.length)
}

function countOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null
}
