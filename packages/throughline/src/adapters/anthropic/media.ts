/**
 * Pictures and documents of the Messages API, and files in its form. What names a file
 * of the service itself, or holds blocks, stays as it is: nobody else can open it.
 */
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import type { FilePart } from '../../domain/message.ts'
import type { FileInput } from '../../domain/message-input.ts'
import { base64Of, type Files, isCanonicalBase64, isWebAddress, storedBytes } from '../media.ts'
import { notedAs, notedFields, noteOf } from '../notes.ts'
import { type Fields, isFields, isFilled } from '../unknown-json.ts'

export const pictureTypes: readonly string[] = [
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
]

/** Null for a block that has no form as a file of ours. */
export function readMedia(block: Fields): FileInput | null {
  const { type, source, ...rest } = block
  if (!isFields(source)) return null
  const content = sourceContent(type === 'image', source)
  if (content === null) return null
  const { type: _, media_type: __, data: ___, url: ____, ...sourceRest } = source
  const note = Object.keys(sourceRest).length > 0 ? { source: sourceRest } : {}
  // Only documents have titles.
  const { title, ...fields } = rest
  if (type === 'image' || typeof title !== 'string')
    return { type: 'file', ...content, ...notedAs('anthropic', note, rest) }
  return { type: 'file', ...content, name: title, ...notedAs('anthropic', note, fields) }
}

function sourceContent(
  picture: boolean,
  { type, media_type: mediaType, data, url }: Fields,
): Pick<FileInput, 'mediaType' | 'data' | 'url'> | null {
  if (type === 'url' && isFilled(url) && mediaType === undefined)
    return { mediaType: picture ? 'image/*' : 'application/pdf', url }
  if (typeof data !== 'string' || !isFilled(mediaType)) return null
  if (type === 'base64' && isCanonicalBase64(data)) return { mediaType, data }
  if (type === 'text' && !picture && mediaType === 'text/plain' && data.isWellFormed())
    return { mediaType, data: new TextEncoder().encode(data) }
  return null
}

/** Null for a file that the service does not take. */
export function mediaBlock(file: FilePart, files: Files): JsonObject | null {
  const picture = file.mediaType.startsWith('image/')
  const source = sourceOf(file, files)
  if (source === null) return null
  const note = noteOf(file.metadata, 'anthropic')
  const sourceRest = isFields(note['source']) ? (note['source'] as JsonObject) : {}
  return {
    ...notedFields(note),
    ...(file.name === null || picture ? {} : { title: file.name }),
    type: picture ? 'image' : 'document',
    source: { ...sourceRest, ...source },
  }
}

function sourceOf(
  { mediaType, source }: FilePart,
  files: Files,
): Readonly<Record<string, JsonValue>> | null {
  const picture = mediaType.startsWith('image/')
  if (source.kind === 'url') {
    const taken = (picture || mediaType === 'application/pdf') && isWebAddress(source.url)
    return taken ? { type: 'url', url: source.url } : null
  }
  const bytes = storedBytes(source, files)
  if (bytes === null) return null
  if (pictureTypes.includes(mediaType) || mediaType === 'application/pdf')
    return { type: 'base64', media_type: mediaType, data: base64Of(bytes) }
  if (!mediaType.startsWith('text/') && mediaType !== 'application/json') return null
  const text = textOfBytes(bytes)
  return text === null ? null : { type: 'text', media_type: 'text/plain', data: text }
}

/** Null for bytes that are not UTF-8. */
function textOfBytes(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}
