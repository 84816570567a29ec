/**
 * Files in OpenAI's requests: data URLs, base64, and the kinds that are taken where.
 *
 * Base64 that would not come back to the letter (line breaks, no padding) is never
 * read as bytes: its block stays opaque.
 */
import type { FilePart } from '../../domain/message.ts'
import { base64Of, type Files, isCanonicalBase64, storedBytes } from '../media.ts'
import { isFilled } from '../unknown-json.ts'

export interface FileBytes {
  readonly mediaType: string
  readonly data: string
}

/** What a data URL holds; null where it is none, or would not come back to the letter. */
export function dataUrl(url: string): FileBytes | null {
  if (!url.startsWith(scheme)) return null
  const end = url.indexOf(marker)
  if (end <= scheme.length) return null
  const data = url.slice(end + marker.length)
  return isFileData(data) ? { mediaType: url.slice(scheme.length, end), data } : null
}

const scheme = 'data:'
const marker = ';base64,'

export function toDataUrl({ mediaType, data }: FileBytes): string {
  return `${scheme}${mediaType}${marker}${data}`
}

/** Filled base64 that its bytes would give again. */
export function isFileData(data: unknown): data is string {
  return isFilled(data) && isCanonicalBase64(data)
}

/** Where the base64 of a data URL begins, also of one that is broken; null for other URLs. */
export function base64In(url: string): string | null {
  if (!url.startsWith(scheme)) return null
  const end = url.indexOf(marker)
  return end === -1 ? '' : url.slice(end + marker.length)
}

/** The bytes of a stored file as base64; null where they were not handed over. */
export function storedData({ source }: FilePart, files: Files): string | null {
  const bytes = storedBytes(source, files)
  return bytes === null ? null : base64Of(bytes)
}

/** Of pictures these are seen; the name on the end is what some programs write for jpeg. */
const pictureTypes: readonly string[] = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/jpg',
]

/** Whether it is seen, whatever parameters stand behind the type. */
export function isPicture(mediaType: string): boolean {
  return pictureTypes.includes(mediaType.split(';', 1)[0] ?? '')
}

const audioFormats = new Map([
  ['audio/wav', 'wav'],
  ['audio/mpeg', 'mp3'],
])

export const audioTypeOf = (format: unknown): string | null =>
  [...audioFormats].find(([, name]) => name === format)?.[0] ?? null

export const audioFormatOf = (mediaType: string): string | null =>
  audioFormats.get(mediaType) ?? null

export const documentType = 'application/pdf'
