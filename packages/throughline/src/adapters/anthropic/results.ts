/** Results of tools as blocks of the Messages API. */
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import type { ToolOutput, ToolResultPart } from '../../domain/message.ts'
import type { Files } from '../media.ts'
import { notedFields, noteOf } from '../notes.ts'
import { fileText, outputText } from '../plain-text.ts'
import { safeName } from '../safe-name.ts'
import { type Fields, ownBlock } from '../unknown-json.ts'
import { idRule, isBlank, leafProblems } from './block-rules.ts'
import { mediaBlock } from './media.ts'

type OutputPart = Extract<ToolOutput, { readonly kind: 'parts' }>['parts'][number]

/** The service wants a reason for every failure, in words. */
const failedText = 'failed'

export function resultBlock(part: ToolResultPart, files: Files): JsonObject {
  const { callId, output, isError, metadata } = part
  const note = noteOf(metadata, 'anthropic')
  const { is_error: noted, content: _, ...fields } = notedFields(note)
  const content = isError ? failure(output) : success(output, note, files)
  return {
    ...fields,
    type: 'tool_result',
    tool_use_id: safeName(callId, idRule),
    ...(content === undefined ? {} : { content }),
    ...(isError ? { is_error: true } : noted === false ? { is_error: noted } : {}),
  }
}

function success(output: ToolOutput, note: Fields, files: Files): JsonValue | undefined {
  if (output.kind !== 'parts') {
    const text = outputText(output)
    return text === '' && note['content'] === 'absent' ? undefined : text
  }
  const blocks = output.parts.flatMap((part) => leafBlock(part, files) ?? [])
  return blocks.length === 0 && output.parts.length > 0 ? '' : blocks
}

/** Of a failure the service takes text alone. */
function failure(output: ToolOutput): JsonValue {
  if (output.kind !== 'parts') {
    const text = outputText(output)
    return isBlank(text) ? failedText : text
  }
  const blocks = output.parts.flatMap((part) => leafText(part) ?? [])
  return blocks.length === 0 ? failedText : blocks
}

function leafBlock(part: OutputPart, files: Files): JsonObject | null {
  const shown = part.type === 'file' ? mediaBlock(part, files) : null
  const block = part.type === 'opaque' ? ownBlock(part, 'anthropic') : (shown ?? leafText(part))
  return block === null || leafProblems(block, '').length > 0 ? null : block
}

function leafText(part: OutputPart): JsonObject | null {
  if (part.type === 'opaque') return null
  const text = part.type === 'text' ? part.text : fileText(part)
  if (isBlank(text)) return null
  const fields = part.type === 'text' ? notedFields(noteOf(part.metadata, 'anthropic')) : {}
  return { ...fields, type: 'text', text }
}
