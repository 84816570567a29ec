/** Content of an Anthropic message as our parts. */
import type { FileInput, PartInput, Role } from '../../index.ts'
import {
  base64File,
  contentParts,
  fileAt,
  type PlainPart,
  textPart,
  toolOutput,
  unknownPart,
} from '../content-parts.ts'
import type { JsonNode } from '../json/raw-json.ts'

export function anthropicParts(content: JsonNode): PartInput[] {
  return contentParts(content, partOf)
}

/** A message with text is the user's, even if it also has tool results. */
export function userRole(parts: readonly PartInput[]): Role {
  const results = parts.some((part) => part.type === 'tool-result')
  return results && !parts.some((part) => part.type === 'text') ? 'tool' : 'user'
}

function partOf(block: JsonNode): PartInput {
  return richParts.get(block.text('type'))?.(block) ?? plainPart(block)
}

const richParts = new Map<string | null, (block: JsonNode) => PartInput | null>([
  ['thinking', reasoningPart],
  ['tool_use', callPart],
  ['tool_result', resultPart],
])

function reasoningPart(block: JsonNode): PartInput | null {
  const text = block.text('thinking')
  const signature = block.filled('signature')
  if (text === null) return null
  if (signature === null) return { type: 'reasoning', text }
  // A signature is valid only for its provider.
  return { type: 'reasoning', text, signature, metadata: { anthropic: {} } }
}

function callPart(block: JsonNode): PartInput | null {
  const [callId, name] = [block.filled('id'), block.filled('name')]
  if (callId === null || name === null) return null
  return { type: 'tool-call', callId, name, input: block.field('input').exact('{}') }
}

function resultPart(block: JsonNode): PartInput | null {
  const callId = block.filled('tool_use_id')
  if (callId === null) return null
  const output = toolOutput(contentParts(block.field('content'), plainPart))
  return { type: 'tool-result', callId, output, isError: block.get('is_error') === true }
}

function plainPart(block: JsonNode): PlainPart {
  const [type, text] = [block.text('type'), block.text('text')]
  if (type === 'text' && text !== null) return textPart(text)
  const file = type === 'image' || type === 'document' ? filePart(block) : null
  return file ?? unknownPart('anthropic', block)
}

function filePart(block: JsonNode): FileInput | null {
  const source = block.field('source')
  const mediaType = source.filled('media_type')
  if (source.text('type') === 'base64')
    return base64File(mediaType ?? '', source.text('data') ?? '')
  const fallback = block.text('type') === 'image' ? 'image/*' : 'application/octet-stream'
  return fileAt(source.text('url') ?? '', mediaType ?? fallback)
}
