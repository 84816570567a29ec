/**
 * Bytes and URLs of files, and base64 that works on every platform. Checks search for one invalid
 * character, because a pattern for the whole text runs out of stack on large images.
 */
import type { Deliverable } from '../domain/context.ts'
import type { FileSource } from '../domain/message.ts'

/** Padded text in the standard alphabet; empty text is base64 of zero bytes. */
export function isBase64(text: string): boolean {
  return text.length % 4 === 0 && !/[^a-zA-Z0-9+/]/.test(unpadded(text))
}

/** Whether `base64Of` would write exactly this text for its bytes. */
export function isCanonicalBase64(text: string): boolean {
  if (!isBase64(text)) return false
  if (text.endsWith('==')) return 'AQgw'.includes(text.at(-3) ?? '')
  if (text.endsWith('=')) return 'AEIMQUYcgkosw048'.includes(text.at(-2) ?? '')
  return true
}

/** Services that parse protocol buffers accept both alphabets, with or without padding. */
export function isAnyBase64(text: string): boolean {
  const letters = unpadded(text)
  if (letters.length % 4 === 1) return false
  if (letters.length < text.length && text.length % 4 !== 0) return false
  return !/[^a-zA-Z0-9+/]/.test(letters) || !/[^a-zA-Z0-9_-]/.test(letters)
}

function unpadded(text: string): string {
  return text.slice(0, text.endsWith('==') ? -2 : text.endsWith('=') ? -1 : undefined)
}

/** Every engine accepts this many arguments; a multiple of three, so that chunks join without padding. */
const chunkBytes = 3 * 8192

export function base64Of(bytes: Uint8Array): string {
  const pieces: string[] = []
  for (let start = 0; start < bytes.length; start += chunkBytes)
    pieces.push(btoa(String.fromCharCode(...bytes.subarray(start, start + chunkBytes))))
  return pieces.join('')
}

export function bytesOfBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
}

/** The bytes of the files in a context. */
export type Files = Deliverable['files']

/** Null if there are none: no provider accepts an empty file. */
export function storedBytes(source: FileSource, files: Files): Uint8Array | null {
  const bytes = source.kind === 'stored' ? files.get(source.sha256) : undefined
  return bytes === undefined || bytes.length === 0 ? null : bytes
}

export function storedBase64(source: FileSource, files: Files): string | null {
  const bytes = storedBytes(source, files)
  return bytes === null ? null : base64Of(bytes)
}

export function isWebAddress(url: string): boolean {
  return /^https:\/\/\S+$/.test(url)
}
