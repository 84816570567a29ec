/** Blocks of content that both of OpenAI's formats write alike, read as our parts. */
import type { JsonObject } from '../../domain/json.ts'
import type { FileInput, TextInput } from '../../domain/message-input.ts'
import { type Fields, fieldsOf, otherFields } from '../unknown-json.ts'
import { audioTypeOf, dataUrl, isFileData } from './media.ts'
import { noted, type OpenaiFormat } from './notes.ts'

export function textPart(fields: Fields, format: OpenaiFormat): TextInput | null {
  const { text } = fields
  if (typeof text !== 'string') return null
  const metadata = noted({}, format, { extra: otherFields(fields, ['type', 'text']) })
  return { type: 'text', text, metadata }
}

/** `form` is what else there is to note of how it stood. */
export function refusalPart(fields: Fields, format: OpenaiFormat, form: Fields): TextInput | null {
  const { refusal } = fields
  if (typeof refusal !== 'string') return null
  const extra = otherFields(fields, ['type', 'refusal'])
  const metadata = noted({ refusal: true }, format, { ...form, extra })
  return { type: 'text', text: refusal, metadata }
}

/** A picture at an address; null for a data URL that would not come back to the letter. */
export function picturePart(url: string, metadata: JsonObject | undefined): FileInput | null {
  const bytes = dataUrl(url)
  if (bytes !== null) return { type: 'file', ...bytes, metadata }
  return url.startsWith('data:') ? null : { type: 'file', mediaType: 'image/*', url, metadata }
}

export function audioPart(fields: Fields, format: OpenaiFormat): FileInput | null {
  const inner = fieldsOf(fields['input_audio'])
  const data = inner?.['data']
  const mediaType = audioTypeOf(inner?.['format'])
  if (inner === null || mediaType === null || !isFileData(data)) return null
  const metadata = noted({}, format, {
    block: 'input_audio',
    inner: otherFields(inner, ['data', 'format']),
    extra: otherFields(fields, ['type', 'input_audio']),
  })
  return { type: 'file', mediaType, data, metadata }
}
