/** The conversations of a transcript, each with its system prompt and tools. */
import type { MessageInput, ToolSchema } from '../../index.ts'
import type { TranscriptConversation } from '../../transcripts/index.ts'
import { parsedInput } from './survival-along.ts'

export interface RecordedConversation {
  readonly id: string
  readonly system: string
  readonly tools: readonly ToolSchema[]
  readonly messages: readonly MessageInput[]
  /** Places before which the model was called, ascending. */
  readonly calls: readonly number[]
}

export function recordedConversation(
  id: string,
  all: readonly MessageInput[],
  header: TranscriptConversation | null,
): RecordedConversation {
  const first = all.findIndex(({ role }) => role !== 'system')
  const prompts = Math.max(0, first)
  const messages = all.slice(prompts)
  const prompt = header?.meta?.['system']
  const leading = all.slice(0, prompts).map(({ content }) => textOf(content))
  const system = leading.length === 0 && typeof prompt === 'string' ? prompt : leading.join('\n\n')
  return {
    id,
    system: system || 'You are a careful assistant.',
    tools: toolsOf(messages),
    messages,
    calls: callsOf(messages),
  }
}

function textOf(content: MessageInput['content']): string {
  if (typeof content === 'string') return content
  return content.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n')
}

/** In chats between people, the model gets a request for every fifth message. */
const messagesPerCall = 5

function callsOf(messages: readonly MessageInput[]): readonly number[] {
  const places = [...messages.keys()].slice(1)
  const hasAnswers = messages.some(({ role }) => role === 'assistant')
  return places.filter((place) =>
    hasAnswers ? messages[place]?.role === 'assistant' : place % messagesPerCall === 0,
  )
}

/** Transcripts have no schemas, so one is made for each called tool. */
function toolsOf(messages: readonly MessageInput[]): readonly ToolSchema[] {
  const calls = messages.flatMap(({ content }) =>
    typeof content === 'string' ? [] : content.filter((part) => part.type === 'tool-call'),
  )
  return [...Map.groupBy(calls, ({ name }) => name)].map(([name, same]) => ({
    name,
    description: `Runs the tool "${name}", and then returns its result.`,
    parameters: {
      type: 'object',
      properties: Object.fromEntries(
        same.flatMap(({ input }) => fieldsOf(input)).map((field) => [field, { type: 'string' }]),
      ),
    },
  }))
}

/** Arguments that are not JSON have no fields. */
function fieldsOf(input: unknown): readonly string[] {
  const value = parsedInput(input)
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? Object.keys(value) : []
}

/** A reply may be several messages with tool results between them: that is one request. */
export function requestPlaces({ calls, messages }: RecordedConversation): readonly number[] {
  const answered = new Set<string>()
  return calls.filter((place) => {
    const message = messages[place]
    // A chat between people.
    if (message?.role !== 'assistant') return true
    const reply = message.meta?.['responseId']
    const continuesReply =
      messages[place - 1]?.role === 'assistant' ||
      (typeof reply === 'string' && answered.has(reply))
    if (typeof reply === 'string') answered.add(reply)
    return !continuesReply
  })
}
