/**
 * A reply of a model, as the message that is appended: the parts that the SDK makes of it
 * for the next step, so that it is recognised when it comes back.
 */
import { aiSdk } from '../adapters/ai-sdk.ts'
import type { Fields } from '../adapters/unknown-json.ts'
import type { MessageStatus } from '../domain/message.ts'
import type { MessageInput, PartInput } from '../domain/message-input.ts'
import { type ContentPart, fieldsOfPart } from './call.ts'

/** Null where the reply says nothing. */
export function replyMessage(
  content: readonly ContentPart[],
  status: MessageStatus,
): MessageInput | null {
  const sent = content.map(fieldsOfPart).filter(isKept)
  const written = sent.map(writtenPart)
  if (written.length === 0) return null
  const [message] = aiSdk.read({ messages: [{ role: 'assistant', content: written }] }).messages
  if (message === undefined || typeof message.content === 'string') return null
  const parts = message.content.map((part, index) => withExactInput(part, sent[index]))
  return { ...message, content: parts, status }
}

/** Sources are for people; what is preliminary is followed by what it became. */
function isKept({ type, text, providerMetadata, preliminary }: Fields): boolean {
  if (type === 'source' || preliminary === true) return false
  return type !== 'text' || text !== '' || providerMetadata !== undefined
}

function writtenPart(part: Fields): Fields {
  const { providerMetadata, ...fields } = part
  const options = providerMetadata === undefined ? {} : { providerOptions: providerMetadata }
  switch (part['type']) {
    case 'tool-call': {
      const { toolCallId, toolName, input, providerExecuted } = part
      const executed = providerExecuted === undefined ? {} : { providerExecuted }
      return {
        type: 'tool-call',
        toolCallId,
        toolName,
        input: inputOf(input),
        ...executed,
        ...options,
      }
    }
    case 'tool-result': {
      const { toolCallId, toolName, result, isError } = part
      const output = outputOf(result, isError === true)
      return { type: 'tool-result', toolCallId, toolName, output, ...options }
    }
    default:
      return { ...fields, ...options }
  }
}

function inputOf(input: unknown): unknown {
  if (typeof input !== 'string') return input
  if (input.trim() === '') return {}
  try {
    return JSON.parse(input)
  } catch {
    return {}
  }
}

function outputOf(result: unknown, isError: boolean): Fields {
  if (isError) return { type: 'error-json', value: result ?? null }
  return typeof result === 'string'
    ? { type: 'text', value: result }
    : { type: 'json', value: result ?? null }
}

/** The text of the arguments as it came, which reading a value would respell. */
function withExactInput(part: PartInput, source: Fields | undefined): PartInput {
  const input = source?.['input']
  return part.type === 'tool-call' && typeof input === 'string' ? { ...part, input } : part
}
