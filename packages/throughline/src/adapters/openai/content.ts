/**
 * Reads text and files of OpenAI's requests. Base64 that `write` would not restore exactly (line breaks, no
 * padding) is not decoded: its block becomes an opaque part.
 */
import type { JsonObject } from '../../domain/json.ts'
import type { FileInput, OpaqueInput, TextInput } from '../../domain/message.ts'
import { isCanonicalBase64 } from '../media.ts'
import { type Readers, readByType } from '../read-checks.ts'
import { type Fields, fieldsOf, filledText, listOf, otherFields } from '../unknown-json.ts'
import { type OpenaiFormat, opaqueBlock, openaiMetadata } from './extra-fields.ts'
import { audioFormats, imageTypes } from './names-data.ts'

interface FileBytes {
  readonly mediaType: string
  readonly data: string
}

/** Null for other URLs, and for base64 that would not be restored exactly. */
export function parseDataUrl(url: string): FileBytes | null {
  const data = base64In(url)
  const mediaType = url.slice(scheme.length, url.indexOf(delimiter))
  return isFileData(data) && mediaType !== '' ? { mediaType, data } : null
}

const scheme = 'data:'
const delimiter = ';base64,'

export function toDataUrl({ mediaType, data }: FileBytes): string {
  return `${scheme}${mediaType}${delimiter}${data}`
}

/** Base64 that is not empty and can be restored exactly. */
function isFileData(data: unknown): data is string {
  return typeof data === 'string' && data !== '' && isCanonicalBase64(data)
}

/** The base64 of a data URL, even of an invalid one; null for other URLs. */
export function base64In(url: string): string | null {
  if (!url.startsWith(scheme)) return null
  const end = url.indexOf(delimiter)
  return end === -1 ? '' : url.slice(end + delimiter.length)
}

export function isImage(mediaType: string): boolean {
  return imageTypes.includes(mediaType.split(';', 1)[0] ?? '')
}

export const documentType = 'application/pdf'

export function readText(fields: Fields, format: OpenaiFormat): TextInput | null {
  const field = fields['type'] === 'refusal' ? 'refusal' : 'text'
  const text = fields[field]
  if (typeof text !== 'string') return null
  const refusal = field === 'refusal' || undefined
  // A refusal in chat completions may also be a field of the message: `part` says that it was not.
  const part = format === 'chat' ? refusal : undefined
  const extra = otherFields(fields, ['type', field])
  return { type: 'text', text, metadata: openaiMetadata({ refusal }, format, { part, extra }) }
}

/** Null for a data URL that would not be restored exactly. */
export function imageFile(url: string, metadata: JsonObject | undefined): FileInput | null {
  const bytes = parseDataUrl(url)
  if (bytes !== null) return { type: 'file', ...bytes, metadata }
  return url.startsWith('data:') ? null : { type: 'file', mediaType: 'image/*', url, metadata }
}

export function readAudio(fields: Fields, format: OpenaiFormat): FileInput | null {
  const inner = fieldsOf(fields['input_audio'])
  const data = inner?.['data']
  const [mediaType] = [...audioFormats].find(([, name]) => name === inner?.['format']) ?? []
  if (inner === null || mediaType === undefined || !isFileData(data)) return null
  const metadata = openaiMetadata({}, format, {
    block: 'input_audio',
    inner: otherFields(inner, ['data', 'format']),
    extra: otherFields(fields, ['type', 'input_audio']),
  })
  return { type: 'file', mediaType, data, metadata }
}

type ContentInput = TextInput | FileInput | OpaqueInput

export function readContent(content: unknown, readers: Readers<ContentInput>): ContentInput[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return listOf(content).map((block) => {
    const type = filledText(fieldsOf(block)?.['type']) ?? 'unknown'
    return readByType(block, readers) ?? opaqueBlock(type, block)
  })
}

/** The output of a tool; null if it is neither text nor parts. */
export function readOutput(output: unknown, readers: Readers<ContentInput>) {
  if (typeof output === 'string') return output
  if (!Array.isArray(output)) return null
  return { kind: 'parts', parts: readContent(output, readers) } as const
}
