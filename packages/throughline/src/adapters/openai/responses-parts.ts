/** The content of items, read as our parts. */
import type { FileInput, OpaqueInput, TextInput } from '../../domain/message-input.ts'
import { type Fields, fieldsOf, filledText, listOf, otherFields } from '../unknown-json.ts'
import { audioTypeOf, dataUrl, documentType, isFileData } from './media.ts'
import { noted, opaqueBlock } from './notes.ts'

type ContentInput = TextInput | FileInput | OpaqueInput

export function contentParts(content: unknown): readonly ContentInput[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return listOf(content).map(contentPart)
}

/** What a tool gave; null where it is neither text nor parts. */
export function outputOf(output: unknown) {
  if (typeof output === 'string') return output
  if (!Array.isArray(output)) return null
  return { kind: 'parts', parts: contentParts(output) } as const
}

function contentPart(block: unknown): ContentInput {
  const fields = fieldsOf(block) ?? {}
  const type = filledText(fields['type']) ?? 'unknown'
  return knownPart(type, fields) ?? opaqueBlock(type, block)
}

function knownPart(type: string, fields: Fields): ContentInput | null {
  switch (type) {
    case 'input_text':
    case 'output_text':
      return textPart(fields)
    case 'refusal':
      return refusalPart(fields)
    case 'input_image':
      return picture(fields)
    case 'input_file':
      return file(fields)
    case 'input_audio':
      return audio(fields)
    default:
      return null
  }
}

function textPart(fields: Fields): TextInput | null {
  const { text } = fields
  if (typeof text !== 'string') return null
  const metadata = noted({}, 'responses', { extra: otherFields(fields, ['type', 'text']) })
  return { type: 'text', text, metadata }
}

function refusalPart(fields: Fields): TextInput | null {
  const { refusal } = fields
  if (typeof refusal !== 'string') return null
  const extra = otherFields(fields, ['type', 'refusal'])
  return { type: 'text', text: refusal, metadata: noted({ refusal: true }, 'responses', { extra }) }
}

function picture(fields: Fields): FileInput | null {
  const url = filledText(fields['image_url'])
  if (url === null) return null
  const bytes = dataUrl(url)
  const extra = otherFields(fields, ['type', 'image_url'])
  const metadata = noted({}, 'responses', { block: 'input_image', extra })
  if (bytes !== null) return { type: 'file', ...bytes, metadata }
  return url.startsWith('data:') ? null : { type: 'file', mediaType: 'image/*', url, metadata }
}

/** By its bytes or its address; one that the service keeps stays a block that we do not know. */
function file(fields: Fields): FileInput | null {
  const { file_data, file_url, file_id, filename } = fields
  if (typeof file_id === 'string') return null
  const name = typeof filename === 'string' ? filename : undefined
  const named = name === undefined ? [] : ['filename']
  const note = (read: string) =>
    noted({}, 'responses', {
      block: 'input_file',
      extra: otherFields(fields, ['type', read, ...named]),
    })
  const bytes = typeof file_data === 'string' ? dataUrl(file_data) : null
  const url = filledText(file_url)
  if (bytes !== null && url === null)
    return { type: 'file', ...bytes, name, metadata: note('file_data') }
  if (url === null || typeof file_data === 'string') return null
  return { type: 'file', mediaType: documentType, url, name, metadata: note('file_url') }
}

function audio(fields: Fields): FileInput | null {
  const inner = fieldsOf(fields['input_audio'])
  const data = inner?.['data']
  const mediaType = audioTypeOf(inner?.['format'])
  if (inner === null || mediaType === null) return null
  if (!isFileData(data)) return null
  const metadata = noted({}, 'responses', {
    block: 'input_audio',
    inner: otherFields(inner, ['data', 'format']),
    extra: otherFields(fields, ['type', 'input_audio']),
  })
  return { type: 'file', mediaType, data, metadata }
}
