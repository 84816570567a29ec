/**
 * Files in OpenAI's requests. Base64 that would not come back unchanged (line breaks, no padding) is
 * never read as bytes: its block stays opaque.
 */
import type { JsonObject } from '../../domain/json.ts'
import type { FileInput, OpaqueInput, TextInput } from '../../domain/message.ts'
import { isCanonicalBase64 } from '../media.ts'
import { type Readers, readByType } from '../readable.ts'
import {
  type Fields,
  fieldsOf,
  filledText,
  isFilled,
  listOf,
  otherFields,
} from '../unknown-json.ts'
import { audioFormats, pictureTypes } from './names-data.ts'
import { noted, type OpenaiFormat, opaqueBlock } from './notes.ts'

interface FileBytes {
  readonly mediaType: string
  readonly data: string
}

/** Null where it is none, or would not come back unchanged. */
export function dataUrl(url: string): FileBytes | null {
  const data = base64In(url)
  const mediaType = url.slice(scheme.length, url.indexOf(marker))
  return isFileData(data) && mediaType !== '' ? { mediaType, data } : null
}

const scheme = 'data:'
const marker = ';base64,'

export function toDataUrl({ mediaType, data }: FileBytes): string {
  return `${scheme}${mediaType}${marker}${data}`
}

/** Base64 that its bytes would give again; not empty. */
function isFileData(data: unknown): data is string {
  return isFilled(data) && isCanonicalBase64(data)
}

/** Where the base64 of a data URL begins, even of a broken one; null for other URLs. */
export function base64In(url: string): string | null {
  if (!url.startsWith(scheme)) return null
  const end = url.indexOf(marker)
  return end === -1 ? '' : url.slice(end + marker.length)
}

export function isPicture(mediaType: string): boolean {
  return pictureTypes.includes(mediaType.split(';', 1)[0] ?? '')
}

export const documentType = 'application/pdf'

export function textPart(fields: Fields, format: OpenaiFormat): TextInput | null {
  const field = fields['type'] === 'refusal' ? 'refusal' : 'text'
  const text = fields[field]
  if (typeof text !== 'string') return null
  const refusal = field === 'refusal' || undefined
  // Chat completions also have a refusal beside the content.
  const part = format === 'chat' ? refusal : undefined
  const extra = otherFields(fields, ['type', field])
  return { type: 'text', text, metadata: noted({ refusal }, format, { part, extra }) }
}

/** Null for a data URL that would not come back unchanged. */
export function picturePart(url: string, metadata: JsonObject | undefined): FileInput | null {
  const bytes = dataUrl(url)
  if (bytes !== null) return { type: 'file', ...bytes, metadata }
  return url.startsWith('data:') ? null : { type: 'file', mediaType: 'image/*', url, metadata }
}

export function audioPart(fields: Fields, format: OpenaiFormat): FileInput | null {
  const inner = fieldsOf(fields['input_audio'])
  const data = inner?.['data']
  const [mediaType] = [...audioFormats].find(([, name]) => name === inner?.['format']) ?? []
  if (inner === null || mediaType === undefined || !isFileData(data)) return null
  const metadata = noted({}, format, {
    block: 'input_audio',
    inner: otherFields(inner, ['data', 'format']),
    extra: otherFields(fields, ['type', 'input_audio']),
  })
  return { type: 'file', mediaType, data, metadata }
}

type ContentInput = TextInput | FileInput | OpaqueInput

export function contentParts(
  content: unknown,
  readers: Readers<ContentInput>,
): readonly ContentInput[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return listOf(content).map((block) => {
    const type = filledText(fieldsOf(block)?.['type']) ?? 'unknown'
    return readByType(block, readers) ?? opaqueBlock(type, block)
  })
}

/** Null where it is neither text nor parts. */
export function outputOf(output: unknown, readers: Readers<ContentInput>) {
  if (typeof output === 'string') return output
  if (!Array.isArray(output)) return null
  return { kind: 'parts', parts: contentParts(output, readers) } as const
}
