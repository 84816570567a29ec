/** Items of OpenAI's Responses API, also in Codex, as messages. Unknown items stay whole. */
import type { MessageInput, PartInput, ToolOutputInput } from '../../index.ts'
import { toolOutput, unknownPart } from '../content-parts.ts'
import type { JsonNode } from '../json/raw-json.ts'
import { chatParts } from './chat-message.ts'

export type ParsedItem = Pick<MessageInput, 'role' | 'content' | 'meta'>

/** Null for what is no message. */
export function responsesItem(item: JsonNode): ParsedItem | null {
  switch (item.filled('type') ?? 'message') {
    case 'message':
      return messageItem(item)
    case 'reasoning':
      return assistantItem(item, reasoningPart(item))
    case 'function_call':
      return assistantItem(item, callPart(item, 'arguments'))
    case 'custom_tool_call':
      return assistantItem(item, callPart(item, 'input'))
    case 'local_shell_call':
      return assistantItem(item, shellPart(item))
    case 'function_call_output':
    case 'custom_tool_call_output':
      return { role: 'tool', content: [resultPart(item) ?? unknownPart('openai', item)] }
    default:
      return assistantItem(item, null)
  }
}

function assistantItem(item: JsonNode, part: PartInput | null): ParsedItem {
  return { role: 'assistant', content: [part ?? unknownPart('openai', item)] }
}

function messageItem(item: JsonNode): ParsedItem | null {
  const content = chatParts(item.field('content'))
  const role = item.text('role')
  if (role === 'developer') return { role: 'system', content, meta: { role } }
  if (role !== 'user' && role !== 'assistant' && role !== 'system') return null
  return { role, content }
}

/** The summary is readable; the encrypted content is not. */
function reasoningPart(item: JsonNode): PartInput | null {
  if (!item.field('summary').isList) return null
  const summary = textsOf(item.list('summary'))
  const text = (summary.length === 0 ? textsOf(item.list('content')) : summary).join('\n\n')
  const signature = item.filled('encrypted_content')
  if (signature === null) return { type: 'reasoning', text }
  const summaryBlocks = summary.map((line) => ({ type: 'summary_text', text: line }))
  // The form that the adapter of this API writes back.
  const metadata = { openai: { responses: { item: { summary: summaryBlocks } } } }
  return { type: 'reasoning', text, signature, metadata }
}

function textsOf(list: readonly JsonNode[]): string[] {
  return list.map((piece) => piece.text('text')).filter((text) => text !== null)
}

function callPart(item: JsonNode, argument: 'arguments' | 'input'): PartInput | null {
  const [callId, name, input] = [item.filled('call_id'), item.filled('name'), item.text(argument)]
  if (callId === null || name === null || input === null) return null
  if (argument === 'arguments') return { type: 'tool-call', callId, name, input }
  // A custom tool takes plain text; ours is JSON, so it is quoted.
  const metadata = { openai: { custom: true } }
  return { type: 'tool-call', callId, name, input: JSON.stringify(input), metadata }
}

function shellPart(item: JsonNode): PartInput | null {
  const callId = item.filled('call_id') ?? item.filled('id')
  if (callId === null || !item.has('action')) return null
  return { type: 'tool-call', callId, name: 'local_shell', input: item.field('action').exact() }
}

function resultPart(item: JsonNode): PartInput | null {
  const callId = item.filled('call_id')
  const rawOutput = item.field('output')
  const output = outputOf(rawOutput)
  if (callId === null || output === null) return null
  return { type: 'tool-result', callId, output, isError: rawOutput.get('success') === false }
}

function outputOf(output: JsonNode): ToolOutputInput | null {
  if (output.isList) return toolOutput(chatParts(output))
  // The form of older versions.
  const text = output.asText ?? output.text('content')
  return text === null ? null : { kind: 'text', text }
}
