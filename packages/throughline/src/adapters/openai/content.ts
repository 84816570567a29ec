/**
 * Files in OpenAI's requests: data URLs, base64, and the kinds that are taken where.
 *
 * Base64 that would not come back to the letter (line breaks, no padding) is never
 * read as bytes: its block stays opaque.
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

/** What a data URL holds; null where it is none, or would not come back to the letter. */
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

/** Filled base64 that its bytes would give again. */
function isFileData(data: unknown): data is string {
  return isFilled(data) && isCanonicalBase64(data)
}

/** Where the base64 of a data URL begins, also of one that is broken; null for other URLs. */
export function base64In(url: string): string | null {
  if (!url.startsWith(scheme)) return null
  const end = url.indexOf(marker)
  return end === -1 ? '' : url.slice(end + marker.length)
}

/** Whether it is seen, whatever parameters stand behind the type. */
export function isPicture(mediaType: string): boolean {
  return pictureTypes.includes(mediaType.split(';', 1)[0] ?? '')
}

export const documentType = 'application/pdf'

/** Blocks of content that both of OpenAI's formats write alike, read as our parts. */
export function textPart(fields: Fields, format: OpenaiFormat): TextInput | null {
  const field = fields['type'] === 'refusal' ? 'refusal' : 'text'
  const text = fields[field]
  if (typeof text !== 'string') return null
  const refusal = field === 'refusal' || undefined
  // Chat completions have a refusal beside the content, too.
  const part = format === 'chat' ? refusal : undefined
  const extra = otherFields(fields, ['type', field])
  return { type: 'text', text, metadata: noted({ refusal }, format, { part, extra }) }
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
  const [mediaType] = [...audioFormats].find(([, name]) => name === inner?.['format']) ?? []
  if (inner === null || mediaType === undefined || !isFileData(data)) return null
  const metadata = noted({}, format, {
    block: 'input_audio',
    inner: otherFields(inner, ['data', 'format']),
    extra: otherFields(fields, ['type', 'input_audio']),
  })
  return { type: 'file', mediaType, data, metadata }
}

/**
 * The content of a message or a result, read as our parts: text, or a list of blocks. Which
 * blocks there are, each of OpenAI's formats says for itself.
 */
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

/** What a tool gave; null where it is neither text nor parts. */
export function outputOf(output: unknown, readers: Readers<ContentInput>) {
  if (typeof output === 'string') return output
  if (!Array.isArray(output)) return null
  return { kind: 'parts', parts: contentParts(output, readers) } as const
}
