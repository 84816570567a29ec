/**
 * Parts as blocks of the Messages API. What another provider sealed is left out whole;
 * what the service has no block for is put into words.
 */
import type { ContextMessage } from '../../domain/context.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { Part, ReasoningPart, ToolCallPart } from '../../domain/message.ts'
import type { Files } from '../media.ts'
import { notedFields, noteOf } from '../notes.ts'
import type { Side, Turn, TurnItem } from '../paired-turns.ts'
import { applicationNote, wordsOf } from '../plain-text.ts'
import { safeName } from '../safe-name.ts'
import { inputObject, isFields, ownBlock } from '../unknown-json.ts'
import { blockProblems, idRule, isBlank, nameRule } from './block-rules.ts'
import { mediaBlock } from './media.ts'
import { resultBlock } from './results.ts'

export interface DraftBlock {
  readonly json: JsonObject
  /** It goes as it came: nothing may be hung on it. */
  readonly sealed: boolean
}

export type DraftTurn = Turn<DraftBlock>
export type DraftItem = TurnItem<DraftBlock>

export function turnOf(message: ContextMessage, from: number, files: Files): DraftTurn {
  const side: Side = message.role === 'assistant' ? 'assistant' : 'user'
  const parts = message.role === 'system' ? applicationNote(message.parts) : message.parts
  const blocks = parts.flatMap((part): readonly DraftBlock[] => {
    // A result in the assistant's own message, where other providers leave it, is moved later.
    const speaker = part.type === 'tool-result' ? 'user' : side
    const json = speaker === 'assistant' ? assistantBlock(part) : userBlock(part, files)
    if (json === null || blockProblems(json, speaker, '').length > 0) return []
    return [{ json, sealed: part.type === 'opaque' || part.type === 'reasoning' }]
  })
  const spoken = side === 'user' ? withAuthor(blocks, message.author) : blocks
  return { side, items: spoken.map((block) => itemOf(block, from)) }
}

function itemOf(block: DraftBlock, from: number): DraftItem {
  const { type, id, tool_use_id: answered } = block.json
  return {
    block,
    from,
    call: type === 'tool_use' && typeof id === 'string' ? id : null,
    result: type === 'tool_result' && typeof answered === 'string' ? answered : null,
  }
}

function userBlock(part: Part, files: Files): JsonObject | null {
  switch (part.type) {
    case 'text':
    case 'resource-excerpt':
    case 'attachment-ref':
      return textBlock(part)
    case 'tool-result':
      return resultBlock(part, files)
    case 'file':
      return mediaBlock(part, files) ?? textBlock(part)
    case 'opaque':
      return ownBlock(part, 'anthropic')
    case 'reasoning':
    case 'tool-call':
      return null
  }
}

function assistantBlock(part: Part): JsonObject | null {
  switch (part.type) {
    case 'text':
    case 'resource-excerpt':
    case 'attachment-ref':
    case 'file':
      return textBlock(part)
    case 'reasoning':
      return thinkingBlock(part)
    case 'tool-call':
      return callBlock(part)
    case 'opaque':
      return ownBlock(part, 'anthropic')
    case 'tool-result':
      return null
  }
}

/** Null where nothing would be left: the service refuses text without a letter. */
export function textBlock(part: Part): JsonObject | null {
  const text = wordsOf(part)
  if (text === null || isBlank(text)) return null
  const fields = part.type === 'text' ? notedFields(noteOf(part.metadata, 'anthropic')) : {}
  return { ...fields, type: 'text', text }
}

/** Only what this service sealed, and only as it was sealed. */
function thinkingBlock({ text, signature, metadata }: ReasoningPart): JsonObject | null {
  if (signature === null || !isFields(metadata?.['anthropic'])) return null
  if (!text.isWellFormed() || !signature.isWellFormed()) return null
  const fields = notedFields(noteOf(metadata, 'anthropic'))
  return { ...fields, type: 'thinking', thinking: text, signature }
}

function callBlock({ callId, name, input, metadata }: ToolCallPart): JsonObject {
  return {
    ...notedFields(noteOf(metadata, 'anthropic')),
    type: 'tool_use',
    id: safeName(callId, idRule),
    name: safeName(name, nameRule),
    input: inputObject(input),
  }
}

/** The service knows no names of speakers. Who spoke stands before what was said. */
function withAuthor(blocks: readonly DraftBlock[], author: string | null): readonly DraftBlock[] {
  const first = blocks.findIndex(({ json, sealed }) => json['type'] === 'text' && !sealed)
  if (author === null || isBlank(author) || first < 0) return blocks
  return blocks.map((block, index) =>
    index === first
      ? { ...block, json: { ...block.json, text: `${author}: ${block.json['text']}` } }
      : block,
  )
}
