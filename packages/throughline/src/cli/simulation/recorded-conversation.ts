/** The conversations of a transcript, each with what its model was told beside the messages. */
import type { MessageInput, ToolSchema } from '../../index.ts'
import type { TranscriptConversation, TranscriptItem } from '../../transcripts/index.ts'

export interface RecordedConversation {
  readonly id: string
  readonly system: string
  readonly tools: readonly ToolSchema[]
  readonly messages: readonly MessageInput[]
  /** Places before which the model was called, ascending. */
  readonly calls: readonly number[]
}

/** Datasets have questions too, which are passed over. */
type ReadItem = TranscriptItem | { readonly kind: 'question' }

export async function readConversations(
  items: AsyncIterable<ReadItem> | Iterable<ReadItem>,
): Promise<readonly RecordedConversation[]> {
  const begun = new Map<string, TranscriptConversation>()
  const messages = new Map<string, MessageInput[]>()
  for await (const item of items) {
    if (item.kind === 'conversation') begun.set(item.id, item)
    if (item.kind !== 'message') continue
    const before = messages.get(item.conversationId)
    if (before === undefined) messages.set(item.conversationId, [item.message])
    else before.push(item.message)
  }
  return [...messages].map(([id, all]) => recordedConversation(id, all, begun.get(id) ?? null))
}

export function recordedConversation(
  id: string,
  all: readonly MessageInput[],
  begun: TranscriptConversation | null,
): RecordedConversation {
  const prompts = all.findIndex(({ role }) => role !== 'system')
  const messages = all.slice(Math.max(0, prompts))
  const told = begun?.meta?.['system']
  const leading = all.slice(0, Math.max(0, prompts)).map(({ content }) => textOf(content))
  const system = leading.length === 0 && typeof told === 'string' ? told : leading.join('\n\n')
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

/** People among themselves call no model: there, one follows the talk. */
const messagesPerCall = 5

function callsOf(messages: readonly MessageInput[]): readonly number[] {
  const places = messages.map((_, place) => place).slice(1)
  const replies = places.filter((place) => messages[place]?.role === 'assistant')
  const spoken = messages.some(({ role }) => role === 'assistant')
  return spoken ? replies : places.filter((place) => place % messagesPerCall === 0)
}

/** Transcripts hold no schemas, so one is made for each tool that is called. */
function toolsOf(messages: readonly MessageInput[]): readonly ToolSchema[] {
  const fields = new Map<string, Set<string>>()
  for (const { content } of messages)
    for (const part of typeof content === 'string' ? [] : content) {
      if (part.type !== 'tool-call') continue
      const known = fields.get(part.name) ?? new Set()
      fields.set(part.name, known)
      for (const field of fieldsOf(part.input)) known.add(field)
    }
  return [...fields].map(([name, known]) => ({
    name,
    description: `Does what "${name}" says, and returns what came of it.`,
    parameters: {
      type: 'object',
      properties: Object.fromEntries([...known].map((field) => [field, { type: 'string' }])),
    },
  }))
}

function fieldsOf(input: unknown): readonly string[] {
  const value = typeof input === 'string' ? parsed(input) : input
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? Object.keys(value) : []
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    // Some models write arguments that are no JSON: such a call names no fields.
    return null
  }
}

/**
 * Before which messages a model was asked. A reply may stand in several messages, with results of
 * its own calls between them: it was asked for once.
 */
export function requestPlaces({ calls, messages }: RecordedConversation): readonly number[] {
  const answered = new Set<string>()
  return calls.filter((place) => {
    const message = messages[place]
    // People among themselves: there, one follows the talk.
    if (message?.role !== 'assistant') return true
    const reply = message.meta?.['responseId']
    const goesOn =
      messages[place - 1]?.role === 'assistant' ||
      (typeof reply === 'string' && answered.has(reply))
    if (typeof reply === 'string') answered.add(reply)
    return !goesOn
  })
}
