/** Content of an Anthropic message (text, or a list of blocks) as our parts. */

import type { FileInput, JsonValue, OpaqueInput, PartInput, Role } from '../../index.ts'
import {
  base64File,
  contentParts,
  fileAt,
  opaquePart,
  type PlainPart,
  textPart,
  toolOutput,
} from '../content-parts.ts'
import { countOf, fieldOf, filledTextOf, textOf } from '../json/json-access.ts'
import { type ExactText, exactTexts, textsAt } from '../json/raw-json.ts'
import type { ReportedUsage } from '../transcript.ts'

export function anthropicParts(content: JsonValue | undefined, exact: ExactText): PartInput[] {
  return contentParts(content, exact, partOf)
}

/** Of what stands under `user`: with words it is the user's, also if results stand beside them. */
export function userRole(parts: readonly PartInput[]): Role {
  const results = parts.some((part) => part.type === 'tool-result')
  return results && !parts.some((part) => part.type === 'text') ? 'tool' : 'user'
}

function partOf(block: JsonValue, exact: () => string): PartInput {
  switch (textOf(block, 'type')) {
    case 'thinking':
      return reasoningPart(block, exact)
    case 'tool_use':
      return toolCallPart(block, exact)
    case 'tool_result':
      return toolResultPart(block, exact)
    default:
      return plainPart(block, exact)
  }
}

function reasoningPart(block: JsonValue, exact: () => string): PartInput {
  const text = textOf(block, 'thinking')
  if (text === null) return opaque(block, exact)
  const signature = filledTextOf(block, 'signature')
  if (signature === null) return { type: 'reasoning', text }
  // A seal is its provider's: whoever writes it back must know whose it is.
  return { type: 'reasoning', text, signature, metadata: { anthropic: {} } }
}

function toolCallPart(block: JsonValue, exact: () => string): PartInput {
  const callId = filledTextOf(block, 'id')
  const name = filledTextOf(block, 'name')
  if (callId === null || name === null) return opaque(block, exact)
  return {
    type: 'tool-call',
    callId,
    name,
    input: textsAt(exact(), ['input']).get('input') ?? '{}',
  }
}

function toolResultPart(block: JsonValue, exact: () => string): PartInput {
  const callId = filledTextOf(block, 'tool_use_id')
  if (callId === null) return opaque(block, exact)
  const content = fieldOf(block, 'content')
  const isError = fieldOf(block, 'is_error') === true
  const parts = contentParts(content, exactTexts(exact, ['content']), plainPart)
  return { type: 'tool-result', callId, output: toolOutput(parts), isError }
}

/** What may also stand inside a tool result. */
function plainPart(block: JsonValue, exact: () => string): PlainPart {
  const type = textOf(block, 'type')
  const text = textOf(block, 'text')
  if (type === 'text' && text !== null) return textPart(text)
  if (type === 'image' || type === 'document') return filePart(block) ?? opaque(block, exact)
  return opaque(block, exact)
}

function filePart(block: JsonValue): FileInput | null {
  const source = fieldOf(block, 'source')
  const mediaType = filledTextOf(source, 'media_type')
  if (textOf(source, 'type') === 'base64')
    return base64File(mediaType ?? '', textOf(source, 'data') ?? '')
  const fallback = textOf(block, 'type') === 'image' ? 'image/*' : 'application/octet-stream'
  return fileAt(textOf(source, 'url') ?? '', mediaType ?? fallback)
}

function opaque(block: JsonValue, exact: () => string): OpaqueInput {
  return opaquePart(`anthropic/${filledTextOf(block, 'type') ?? 'unknown'}`, exact())
}

/** `usage` of an Anthropic answer. */
export function anthropicUsage(usage: JsonValue | undefined): ReportedUsage | null {
  const input = countOf(usage, 'input_tokens')
  const cacheWriteTokens = countOf(usage, 'cache_creation_input_tokens')
  const cacheReadTokens = countOf(usage, 'cache_read_input_tokens')
  const inputTokens = (input ?? 0) + (cacheWriteTokens ?? 0) + (cacheReadTokens ?? 0)
  // Messages that a client wrote itself report zeros: no request stands behind them.
  if (input === null || inputTokens === 0) return null
  const outputTokens = countOf(usage, 'output_tokens')
  return { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }
}
