/**
 * Files of the AI SDK: `file` and the older `image` in messages, `file` and four older types in tool
 * outputs. Their data has eight forms (bytes, buffer, base64, URL, `data:` URL, text, tagged or not); the
 * form is kept in `metadata`, so that `write` can restore it.
 */
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import type { FileInput, FilePart, FileSource, OpaquePart, Role } from '../../domain/message.ts'
import {
  base64Of,
  bytesOfBase64,
  type Files,
  isBase64,
  isCanonicalBase64,
  storedBase64,
  storedBytes,
} from '../media.ts'
import { type Fields, isFilled, isPlain, jsonTextOf, parsedJson } from '../unknown-json.ts'
import { extraFields, isJsonObject, jsonFields, metadataFor, sdkDetails } from './extra-fields.ts'

const fileFields = ['type', 'data', 'image', 'url', 'mediaType', 'filename']

/** Null for files that our parts cannot represent; they become opaque parts. */
export function readFile(part: Fields): FileInput | null {
  const reading = readSource(part)
  if (reading === null) return null
  const { type, mediaType: readType, filename } = part
  const mediaType = mediaTypeOf(part, reading)
  return {
    type: 'file',
    mediaType,
    name: typeof filename === 'string' ? filename : undefined,
    ...reading.source,
    metadata: metadataFor(part, fileFields, {
      type: type === 'file' ? undefined : `${type}`,
      data: reading.form,
      mediaType:
        readType === mediaType ? undefined : typeof readType === 'string' ? readType : null,
    }),
  }
}

interface FileReading {
  /** How the data was written, for `metadata`. */
  readonly form: JsonObject
  readonly source: { readonly data: Uint8Array | string } | { readonly url: string }
  /** The media type of a `data:` URL; it takes precedence over that of the part. */
  readonly mediaType?: string | undefined
}

function readSource({ type, data, image, url }: Fields): FileReading | null {
  if (type === 'file') return readFileData(data)
  if (type === 'image') return readFileData(image)
  const isBytes = type === 'file-data' || type === 'image-data'
  if (isBytes && typeof data === 'string' && isCanonicalBase64(data))
    return { source: { data }, form: {} }
  const isAddress = type === 'file-url' || type === 'image-url'
  return isAddress && isFilled(url) ? { source: { url }, form: {} } : null
}

/** A complete media type if possible, because other providers refuse `image` alone. */
function mediaTypeOf({ type, mediaType }: Fields, { source, mediaType: ofUrl }: FileReading) {
  const known = ofUrl ?? (typeof mediaType === 'string' ? mediaType : '')
  const isAnyImage = known === '' ? `${type}`.startsWith('image') : /^image(?:\/\*)?$/.test(known)
  if (isAnyImage) return ('data' in source ? imageType(source.data) : null) ?? 'image/*'
  return known === '' ? 'application/octet-stream' : known
}

/** The type by the first twelve bytes, which are sixteen characters of base64. */
function imageType(data: Uint8Array | string): string | null {
  const bytes = typeof data === 'string' ? bytesOfBase64(data.slice(0, 16)) : data.subarray(0, 12)
  const head = String.fromCharCode(...bytes)
  if (head.startsWith('\x89PNG')) return 'image/png'
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (head.startsWith('GIF8')) return 'image/gif'
  if (head.startsWith('RIFF') && head.slice(8) === 'WEBP') return 'image/webp'
  return null
}

/** Null without bytes or a URL, as for a reference to a provider's own storage. */
function readFileData(value: unknown): FileReading | null {
  // Like the SDK, treat text that parses as a URL as one.
  if (!isPlain(value))
    return readUntagged(value, (text) => (URL.canParse(text) ? readUrl(text) : readBase64(text)))
  const fields = jsonFields(value, taggedFields)
  const tag = { tagged: true, ...(Object.keys(fields).length > 0 ? { fields } : {}) }
  const { type, data, url, text } = value
  if (type === 'data') return withForm(readUntagged(data, readBase64), tag)
  if (type === 'url') return withForm(readUntagged(url, readUrl), tag)
  if (type !== 'text' || typeof text !== 'string') return null
  return { source: { data: new TextEncoder().encode(text) }, form: { form: 'text', ...tag } }
}

const taggedFields = ['type', 'data', 'url', 'text']

function withForm(reading: FileReading | null, more: JsonObject): FileReading | null {
  return reading === null ? null : { ...reading, form: { ...reading.form, ...more } }
}

function readUntagged(value: unknown, readText: (text: string) => FileReading | null) {
  if (typeof value === 'string') return readText(value)
  if (value instanceof Uint8Array) return { source: { data: value }, form: { form: 'bytes' } }
  if (value instanceof ArrayBuffer)
    return { source: { data: new Uint8Array(value) }, form: { form: 'buffer' } }
  return value instanceof URL ? withForm(readUrl(value.href), { form: 'url' }) : null
}

function readBase64(data: string): FileReading | null {
  return isCanonicalBase64(data) ? { source: { data }, form: { form: 'base64' } } : null
}

function readUrl(url: string): FileReading | null {
  if (!url.startsWith('data:'))
    return url === '' ? null : { source: { url }, form: { form: 'url-text' } }
  const { header, mediaType, data } = splitDataUrl(url) ?? {}
  if (header === undefined || data === undefined || !isCanonicalBase64(data)) return null
  return { source: { data }, form: { form: 'url-text', header }, mediaType }
}

/** Null unless it is base64: the SDK would treat any other text as bytes. */
export function splitDataUrl(url: string) {
  const comma = url.indexOf(',')
  const header = url.slice(0, comma)
  const mediaType = header.slice('data:'.length).split(';')[0] ?? ''
  return comma < 0 || !header.endsWith(';base64') || mediaType === ''
    ? null
    : { header, mediaType, data: url.slice(comma + 1) }
}

/** The role of the message, or the output of a tool. */
type FileParent = Role | 'output'

export function writeFile(part: FilePart, parent: FileParent, files: Files): Fields | null {
  const details = sdkDetails(part.metadata)
  const type = typeIn(parent, details['type'], part)
  const source = writeSource(part, type, files)
  if (source === null) return null
  const readType = details['mediaType']
  const mayLackType = ['image', 'file-url', 'image-url'].includes(type)
  const mediaType = isFilled(readType) ? readType : part.mediaType
  const fields = {
    ...extraFields(details, fileFields),
    mediaType: readType === null && mayLackType ? undefined : mediaType,
    ...(part.name === null ? {} : { filename: part.name }),
    type,
    ...(type === 'file' && parent === 'output' ? { data: asTagged(source['data']) } : source),
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** The original type if it is allowed here and fits the source, else `file`. */
function typeIn(parent: FileParent, original: unknown, { source }: FilePart): string {
  if (parent === 'user' && original === 'image') return original
  if (parent !== 'output') return 'file'
  const isData = original === 'file-data' || original === 'image-data'
  if (isData && source.kind === 'stored') return original
  const isUrl = original === 'file-url' || original === 'image-url'
  return isUrl && source.kind === 'url' ? original : 'file'
}

function writeSource({ source, metadata }: FilePart, type: string, files: Files): Fields | null {
  if (type.endsWith('-url') && source.kind === 'url')
    return URL.canParse(source.url) ? { url: source.url } : null
  if (type.endsWith('-data')) {
    const data = storedBase64(source, files)
    return data === null ? null : { data }
  }
  const form = sdkDetails(metadata)['data']
  // An image is never tagged, whatever `metadata` says.
  const untagged = { ...(isPlain(form) ? form : {}), tagged: false }
  const data = writeFileData(source, type === 'image' ? untagged : form, files)
  return data === null ? null : { [type === 'image' ? 'image' : 'data']: data }
}

/** In its original form if that fits the file, else tagged; null if it cannot be sent. */
function writeFileData(source: FileSource, form: unknown, files: Files): unknown {
  const original: JsonObject = isJsonObject(form) ? form : { tagged: true }
  if (source.kind === 'url') return writeUrl(source.url, original)
  const bytes = storedBytes(source, files)
  return bytes === null ? null : writeBytes(bytes, original)
}

/** The only form that tool outputs accept. */
function asTagged(data: unknown): unknown {
  if (isPlain(data)) return data
  return data instanceof URL ? { type: 'url', url: data } : { type: 'data', data }
}

function writeUrl(url: string, form: JsonObject): unknown {
  if (!URL.canParse(url) || (url.startsWith('data:') && splitDataUrl(url) === null)) return null
  const address = new URL(url)
  if (form['tagged'] !== true) return form['form'] === 'url-text' ? url : address
  const original = address.href === url ? {} : { originalUrl: url }
  return { ...original, ...formFields(form), type: 'url', url: address }
}

function writeBytes(bytes: Uint8Array, form: JsonObject): unknown {
  const { header, form: kind } = form
  const tagged = form['tagged'] === true
  if (kind === 'text' && tagged)
    return { ...formFields(form), type: 'text', text: decoder.decode(bytes) }
  if (typeof header === 'string' && splitDataUrl(`${header},`) !== null) {
    const url = `${header},${base64Of(bytes)}`
    if (tagged) return { ...formFields(form), type: 'url', url: new URL(url) }
    return kind === 'url-text' ? url : new URL(url)
  }
  const copy = new Uint8Array(bytes)
  const binary = kind === 'buffer' ? copy.buffer : copy
  const data = kind === 'bytes' || kind === 'buffer' ? binary : base64Of(bytes)
  return tagged ? { ...formFields(form), type: 'data', data } : data
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

function formFields({ fields }: JsonObject): JsonObject {
  return isPlain(fields) ? jsonFields(fields, [...taggedFields, 'reference']) : {}
}

const opaquePrefix = 'ai-sdk/'

/** Approvals, custom parts, references to uploads, files of reasoning, and unknown kinds. */
export function readOpaque(part: unknown) {
  const type = isPlain(part) && isFilled(part['type']) ? part['type'] : 'unknown'
  return { type: 'opaque', kind: `${opaquePrefix}${type}`, json: jsonTextOf(part) } as const
}

/** Its bytes become base64 in the JSON; `metadata` keeps their original form. */
export function readReasoningFile(part: Fields) {
  const reading = readFileData(part['data'])
  if (reading === null) return readOpaque(part)
  const { source, form } = reading
  const asBase64 = (data: Uint8Array | string) => (typeof data === 'string' ? data : base64Of(data))
  const data = 'url' in source ? source : { base64: asBase64(source.data) }
  return { ...readOpaque({ ...part, data }), metadata: metadataFor({}, [], { data: form }) }
}

/** Null for a part of another provider. */
export function writeOpaque({ kind, json, metadata }: OpaquePart): Fields | null {
  if (!kind.startsWith(opaquePrefix)) return null
  const part = parsedJson(json)
  if (!isPlain(part)) return null
  if (part['type'] !== 'reasoning-file') return part
  const data = writeReasoningData(part['data'], sdkDetails(metadata)['data'])
  return data === null ? null : { ...part, data }
}

function writeReasoningData(source: unknown, form: JsonValue | undefined): unknown {
  if (!isPlain(source)) return typeof source === 'string' ? source : null
  const { url, base64 } = source
  if (typeof url === 'string') return writeFileData({ kind: 'url', url }, form, new Map())
  if (typeof base64 !== 'string' || !isBase64(base64)) return null
  const bytes = bytesOfBase64(base64)
  const file: FileSource = { kind: 'stored', sha256: '', sizeBytes: bytes.length }
  return writeFileData(file, form, new Map([['', bytes]]))
}
