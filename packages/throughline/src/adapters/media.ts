/**
 * The bytes and addresses of files, and base64, checked and made without a platform's own means.
 *
 * Loops, not regular expressions: those run out of stack on pictures of many megabytes.
 */
import type { Deliverable } from '../domain/context.ts'
import type { FileSource } from '../domain/message.ts'

/** Padded text in the usual alphabet; the empty text is base64 of no bytes. */
export function isBase64(text: string): boolean {
  return text.length % 4 === 0 && onlyDigits(text, lettersOf(text), isDigit)
}

/** The one spelling that `base64Of` makes, so that bytes read from it give the same text. */
export function isCanonicalBase64(text: string): boolean {
  if (!isBase64(text)) return false
  if (text.endsWith('==')) return 'AQgw'.includes(text.at(-3) ?? '')
  if (text.endsWith('=')) return 'AEIMQUYcgkosw048'.includes(text.at(-2) ?? '')
  return true
}

/** Services that parse protocol buffers take both alphabets, with or without padding. */
export function isAnyBase64(text: string): boolean {
  const letters = lettersOf(text)
  if (letters % 4 === 1 || (letters < text.length && text.length % 4 !== 0)) return false
  return onlyDigits(text, letters, isDigit) || onlyDigits(text, letters, isUrlDigit)
}

function lettersOf(text: string): number {
  return text.length - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0)
}

function onlyDigits(text: string, end: number, allowed: (code: number) => boolean): boolean {
  for (let index = 0; index < end; index += 1) if (!allowed(text.charCodeAt(index))) return false
  return true
}

function isDigit(code: number): boolean {
  return isLetterOrNumber(code) || code === 43 || code === 47
}

function isUrlDigit(code: number): boolean {
  return isLetterOrNumber(code) || code === 45 || code === 95
}

function isLetterOrNumber(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57)
}

/** As many arguments as a call takes in every engine; by three, so that pieces join unpadded. */
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

/** The bytes of a file that were handed over with its context. */
export type Files = Deliverable['files']

/** Null where there are none: no provider takes a file of no bytes. */
export function storedBytes(source: FileSource, files: Files): Uint8Array | null {
  const bytes = source.kind === 'stored' ? files.get(source.sha256) : undefined
  return bytes === undefined || bytes.length === 0 ? null : bytes
}

/** Whether services would fetch what stands at this address. */
export function isWebAddress(url: string): boolean {
  return /^https:\/\/\S+$/.test(url)
}
