/**
 * One item of OpenAI's Responses API as a message: what a request holds under `input`, and
 * what Codex writes down. An item of a type that we do not know stays whole, as it came.
 */
import type {
  JsonObject,
  JsonValue,
  MessageInput,
  PartInput,
  ToolOutputInput,
} from '../../index.ts'
import { opaquePart, toolOutput } from '../content-parts.ts'
import {
  fieldOf,
  filledTextOf,
  isJsonList,
  isJsonObject,
  listOf,
  textOf,
} from '../json/json-access.ts'
import { exactTexts, textsAt } from '../json/raw-json.ts'
import { chatParts } from './chat-message.ts'

export type ItemSpeech = Pick<MessageInput, 'role' | 'content' | 'meta'>

/** `exact` gives the text of the item as it stands in the file. Null for what is no message. */
export function responsesItem(item: JsonObject, exact: () => string): ItemSpeech | null {
  const type = filledTextOf(item, 'type') ?? 'message'
  switch (type) {
    case 'message':
      return messageItem(item, exact)
    case 'reasoning':
      return assistant(reasoningPart(item) ?? opaque(type, exact))
    case 'function_call':
      return assistant(callPart(item, 'arguments') ?? opaque(type, exact))
    case 'custom_tool_call':
      return assistant(callPart(item, 'input') ?? opaque(type, exact))
    case 'local_shell_call':
      return assistant(shellPart(item, exact) ?? opaque(type, exact))
    case 'function_call_output':
    case 'custom_tool_call_output':
      return { role: 'tool', content: [resultPart(item, exact) ?? opaque(type, exact)] }
    default:
      return assistant(opaque(type, exact))
  }
}

function assistant(part: PartInput): ItemSpeech {
  return { role: 'assistant', content: [part] }
}

function opaque(type: string, exact: () => string): PartInput {
  return opaquePart(`openai/${type}`, exact())
}

function messageItem(item: JsonObject, exact: () => string): ItemSpeech | null {
  const content = chatParts(fieldOf(item, 'content'), exactTexts(exact, ['content']))
  const role = textOf(item, 'role')
  if (role === 'developer') return { role: 'system', content, meta: { role } }
  if (role !== 'user' && role !== 'assistant' && role !== 'system') return null
  return { role, content }
}

/** The summary is what people may read; the seal is over what they may not. */
function reasoningPart(item: JsonObject): PartInput | null {
  if (!isJsonList(fieldOf(item, 'summary'))) return null
  const summary = textsOf(listOf(item, 'summary'))
  const text = (summary.length === 0 ? textsOf(listOf(item, 'content')) : summary).join('\n\n')
  const signature = filledTextOf(item, 'encrypted_content')
  if (signature === null) return { type: 'reasoning', text }
  const sealed = summary.map((line) => ({ type: 'summary_text', text: line }))
  // The form in which the adapter of this API gives it back.
  const metadata = { openai: { responses: { item: { summary: sealed } } } }
  return { type: 'reasoning', text, signature, metadata }
}

function textsOf(list: readonly JsonValue[]): string[] {
  return list.map((piece) => textOf(piece, 'text')).filter((text) => text !== null)
}

function callPart(item: JsonObject, argument: 'arguments' | 'input'): PartInput | null {
  const callId = filledTextOf(item, 'call_id')
  const name = filledTextOf(item, 'name')
  const input = textOf(item, argument)
  if (callId === null || name === null || input === null) return null
  if (argument === 'arguments') return { type: 'tool-call', callId, name, input }
  // A tool that takes plain text: ours is JSON, so it stands in quotes.
  const metadata = { openai: { custom: true } }
  return { type: 'tool-call', callId, name, input: JSON.stringify(input), metadata }
}

function shellPart(item: JsonObject, exact: () => string): PartInput | null {
  const callId = filledTextOf(item, 'call_id') ?? filledTextOf(item, 'id')
  const input = textsAt(exact(), ['action']).get('action')
  if (callId === null || input === undefined) return null
  return { type: 'tool-call', callId, name: 'local_shell', input }
}

function resultPart(item: JsonObject, exact: () => string): PartInput | null {
  const callId = filledTextOf(item, 'call_id')
  const output = fieldOf(item, 'output')
  const given = outputOf(output, exact)
  if (callId === null || given === null) return null
  return {
    type: 'tool-result',
    callId,
    output: given,
    isError: fieldOf(output, 'success') === false,
  }
}

function outputOf(output: JsonValue | undefined, exact: () => string): ToolOutputInput | null {
  if (typeof output === 'string') return { kind: 'text', text: output }
  if (isJsonList(output)) return toolOutput(chatParts(output, exactTexts(exact, ['output'])))
  // As older versions write it: what was said, and whether it went well.
  const content = isJsonObject(output) ? textOf(output, 'content') : null
  return content === null ? null : { kind: 'text', text: content }
}
