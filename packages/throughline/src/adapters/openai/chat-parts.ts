/** The pieces of a chat message, read as our parts. */
import type { FileInput, PartInput, TextInput } from '../../domain/message-input.ts'
import { type Fields, fieldsOf, filledText, otherFields } from '../unknown-json.ts'
import { audioPart, picturePart, refusalPart, textPart } from './content-blocks.ts'
import type { ContentInput } from './content-parts.ts'
import { dataUrl } from './media.ts'
import { noted, opaqueBlock } from './notes.ts'

/** Null for a block that chat completions do not know. */
export function chatPart(type: string, fields: Fields): ContentInput | null {
  switch (type) {
    case 'text':
      return textPart(fields, 'chat')
    case 'refusal':
      return refusalPart(fields, 'chat', { part: true })
    case 'image_url':
      return picture(fields)
    case 'input_audio':
      return audioPart(fields, 'chat')
    case 'file':
      return file(fields)
    default:
      return null
  }
}

function picture(fields: Fields): FileInput | null {
  const inner = fieldsOf(fields['image_url'])
  const url = filledText(inner?.['url'])
  if (inner === null || url === null) return null
  return picturePart(url, fileNote('image_url', fields, otherFields(inner, ['url'])))
}

function file(fields: Fields): FileInput | null {
  const inner = fieldsOf(fields['file'])
  const data = inner?.['file_data']
  const bytes = typeof data === 'string' ? dataUrl(data) : null
  if (inner === null || bytes === null) return null
  const name = typeof inner['filename'] === 'string' ? inner['filename'] : undefined
  const named = name === undefined ? [] : ['filename']
  const metadata = fileNote('file', fields, otherFields(inner, ['file_data', ...named]))
  return { type: 'file', ...bytes, name, metadata }
}

function fileNote(block: string, fields: Fields, inner: Fields | undefined) {
  return noted({}, 'chat', { block, inner, extra: otherFields(fields, ['type', block]) })
}

/** A refusal that stands beside the content and not in it. */
export function refusalField(text: string): TextInput {
  return { type: 'text', text, metadata: { openai: { refusal: true } } }
}

export function callPart(call: unknown): PartInput {
  const fields = fieldsOf(call) ?? {}
  const callId = filledText(fields['id'])
  const kind = fields['type'] === 'custom' ? 'custom' : 'function'
  const inner = fieldsOf(fields[kind])
  const name = filledText(inner?.['name'])
  const argument = kind === 'custom' ? 'input' : 'arguments'
  const input = inner?.[argument]
  if (callId === null || inner === null || name === null || typeof input !== 'string')
    return opaqueBlock('tool_call', call)
  const metadata = noted({ custom: kind === 'custom' || undefined }, 'chat', {
    extra: otherFields(fields, ['id', 'type', kind]),
    inner: otherFields(inner, ['name', argument]),
  })
  return {
    type: 'tool-call',
    callId,
    name,
    input: kind === 'custom' ? JSON.stringify(input) : input,
    metadata,
  }
}
