/** The content of items, read as our parts. */
import type { FileInput } from '../../domain/message-input.ts'
import { type Fields, filledText, otherFields } from '../unknown-json.ts'
import { audioPart, picturePart, refusalPart, textPart } from './content-blocks.ts'
import type { ContentInput } from './content-parts.ts'
import { dataUrl, documentType } from './media.ts'
import { noted } from './notes.ts'

/** Null for a block that responses do not know. */
export function itemPart(type: string, fields: Fields): ContentInput | null {
  switch (type) {
    case 'input_text':
    case 'output_text':
      return textPart(fields, 'responses')
    case 'refusal':
      return refusalPart(fields, 'responses', {})
    case 'input_image':
      return picture(fields)
    case 'input_file':
      return file(fields)
    case 'input_audio':
      return audioPart(fields, 'responses')
    default:
      return null
  }
}

function picture(fields: Fields): FileInput | null {
  const url = filledText(fields['image_url'])
  if (url === null) return null
  const extra = otherFields(fields, ['type', 'image_url'])
  return picturePart(url, noted({}, 'responses', { block: 'input_image', extra }))
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
