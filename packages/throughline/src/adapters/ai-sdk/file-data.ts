/**
 * The bytes, address or text of a file, which the AI SDK spells in eight ways: bytes, a
 * buffer, base64 text, a URL, a URL as text, either of them a `data:` URL, and text, with
 * or without a tag. The spelling is kept as a note, so that it can be written again.
 */
import type { JsonObject } from '../../domain/json.ts'
import type { FileSource } from '../../domain/message.ts'
import { base64Of, type Files, isCanonicalBase64 } from '../media.ts'
import { isPlain } from '../unknown-json.ts'
import { isJsonObject, jsonFields } from './notes.ts'

export interface FileReading {
  readonly source: { readonly data: Uint8Array | string } | { readonly url: string }
  /** The spelling. */
  readonly form: JsonObject
  /** Of a `data:` URL, which goes before the media type of the part. */
  readonly mediaType: string | null
}

/** Null where there are neither bytes nor an address: a reference to a provider's own store. */
export function readFileData(value: unknown): FileReading | null {
  if (!isPlain(value)) return readBare(value, looseText)
  const fields = jsonFields(value, ['type', 'data', 'url', 'text'])
  const tagged = { tagged: true, ...(Object.keys(fields).length > 0 ? { fields } : {}) }
  switch (value['type']) {
    case 'data':
      return withForm(readBare(value['data'], readBase64), tagged)
    case 'url':
      return withForm(readBare(value['url'], readAddress), tagged)
    case 'text': {
      const { text } = value
      if (typeof text !== 'string') return null
      const data = new TextEncoder().encode(text)
      return { source: { data }, form: { form: 'text', ...tagged }, mediaType: null }
    }
    default:
      return null
  }
}

function withForm(reading: FileReading | null, more: JsonObject): FileReading | null {
  return reading === null ? null : { ...reading, form: { ...reading.form, ...more } }
}

function readBare(value: unknown, text: (value: string) => FileReading | null): FileReading | null {
  if (typeof value === 'string') return text(value)
  if (value instanceof Uint8Array)
    return { source: { data: value }, form: { form: 'bytes' }, mediaType: null }
  if (value instanceof ArrayBuffer)
    return { source: { data: new Uint8Array(value) }, form: { form: 'buffer' }, mediaType: null }
  return value instanceof URL ? withForm(readAddress(value.href), { form: 'url' }) : null
}

/** As the SDK does: what can be a URL is one. */
function looseText(text: string): FileReading | null {
  return URL.canParse(text) ? readAddress(text) : readBase64(text)
}

function readBase64(data: string): FileReading | null {
  return isCanonicalBase64(data)
    ? { source: { data }, form: { form: 'base64' }, mediaType: null }
    : null
}

function readAddress(url: string): FileReading | null {
  if (!url.startsWith('data:'))
    return url === '' ? null : { source: { url }, form: { form: 'url-text' }, mediaType: null }
  const parts = splitDataUrl(url)
  return parts !== null && isCanonicalBase64(parts.data)
    ? {
        source: { data: parts.data },
        form: { form: 'url-text', header: parts.header },
        mediaType: parts.mediaType,
      }
    : null
}

export interface DataUrl {
  /** All before the comma. */
  readonly header: string
  readonly mediaType: string
  readonly data: string
}

/** Null for one that is not base64: the SDK would take its letters for bytes. */
export function splitDataUrl(url: string): DataUrl | null {
  const comma = url.indexOf(',')
  const header = url.slice(0, comma)
  const mediaType = header.slice('data:'.length).split(';')[0] ?? ''
  return comma < 0 || !header.endsWith(';base64') || mediaType === ''
    ? null
    : { header, mediaType, data: url.slice(comma + 1) }
}

/** In its own spelling where the note fits the file, else tagged; null where it cannot be sent. */
export function writeFileData(source: FileSource, form: unknown, files: Files): unknown {
  const noted: JsonObject = isJsonObject(form) ? form : { tagged: true }
  if (source.kind === 'url') return writeAddress(source.url, noted)
  const bytes = files.get(source.sha256)
  return bytes === undefined || bytes.length === 0 ? null : writeBytes(bytes, noted)
}

/** As tagged data: the one spelling that a tool's output takes. */
export function asTagged(data: unknown): unknown {
  if (isPlain(data)) return data
  return data instanceof URL ? { type: 'url', url: data } : { type: 'data', data }
}

function writeAddress(url: string, form: JsonObject): unknown {
  if (!URL.canParse(url) || (url.startsWith('data:') && splitDataUrl(url) === null)) return null
  if (form['form'] === 'url-text' && form['tagged'] !== true) return url
  const address = new URL(url)
  if (form['tagged'] !== true) return address
  const original = address.href === url ? {} : { originalUrl: url }
  return { ...original, ...formFields(form), type: 'url', url: address }
}

function writeBytes(bytes: Uint8Array, form: JsonObject): unknown {
  const { header, form: kind } = form
  if (kind === 'text' && form['tagged'] === true)
    return { ...formFields(form), type: 'text', text: decoder.decode(bytes) }
  if (typeof header === 'string' && splitDataUrl(`${header},`) !== null) {
    const url = `${header},${base64Of(bytes)}`
    if (kind === 'url-text' && form['tagged'] !== true) return url
    return form['tagged'] === true
      ? { ...formFields(form), type: 'url', url: new URL(url) }
      : new URL(url)
  }
  const data = spelledBytes(bytes, kind)
  return form['tagged'] === true ? { ...formFields(form), type: 'data', data } : data
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

function spelledBytes(bytes: Uint8Array, kind: unknown): unknown {
  if (kind === 'bytes') return new Uint8Array(bytes)
  if (kind === 'buffer') return new Uint8Array(bytes).buffer
  return base64Of(bytes)
}

function formFields(form: JsonObject): JsonObject {
  const { fields } = form
  return isPlain(fields) ? jsonFields(fields, ['type', 'data', 'url', 'text', 'reference']) : {}
}
