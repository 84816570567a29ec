/** Files of the Gemini API: bytes inline, or an address. */
import type { JsonObject } from '../../domain/json.ts'
import type { FilePart } from '../../domain/message.ts'
import type { FileInput } from '../../domain/message-input.ts'
import { base64Of, isCanonicalBase64 } from '../base64.ts'
import { notedAs, noteOf } from '../notes.ts'
import { type Files, storedBytes } from '../stored-bytes.ts'
import { type Fields, isFields, isFilled } from '../unknown-json.ts'
import { isWebAddress } from '../web-address.ts'
import { notedInner, notedSideFields } from './part-fields.ts'
import { isSignature, partProblems } from './part-rules.ts'

/** Null for data that has no form as a file of ours. */
export function readMedia(part: Fields): FileInput | null {
  const { inlineData, fileData, ...fields } = part
  // A picture that was thought of is no file of the conversation.
  if (fields['thought'] === true) return null
  if (isFields(inlineData)) {
    const { mimeType, data, ...inner } = inlineData
    if (!isFilled(mimeType) || typeof data !== 'string' || !isCanonicalBase64(data)) return null
    return { type: 'file', mediaType: mimeType, data, ...noted({}, inner, fields) }
  }
  if (!isFields(fileData)) return null
  const { mimeType, fileUri, ...inner } = fileData
  if (!isFilled(fileUri) || isServiceAddress(fileUri)) return null
  if (isFilled(mimeType))
    return { type: 'file', mediaType: mimeType, url: fileUri, ...noted({}, inner, fields) }
  if (mimeType !== undefined) return null
  const note = { mimeType: false }
  return { type: 'file', mediaType: unknownType, url: fileUri, ...noted(note, inner, fields) }
}

const unknownType = 'application/octet-stream'

/** Files that only the service can open. */
function isServiceAddress(uri: string): boolean {
  return uri.startsWith('gs://') || uri.startsWith('https://generativelanguage.googleapis.com/')
}

/** The note says that the service took this file, whatever its type. */
function noted(note: Fields, inner: Fields, fields: Fields) {
  const more = Object.keys(inner).length > 0 ? { inner } : {}
  const { thoughtSignature, ...others } = fields
  const seal = typeof thoughtSignature === 'string' ? { thoughtSignature } : {}
  const rest = typeof thoughtSignature === 'string' ? others : fields
  return notedAs('google', { own: true, ...note, ...more, ...seal }, rest)
}

/** Null for a file that the service does not take. */
export function mediaPart(file: FilePart, files: Files): JsonObject | null {
  const part = mediaDraft(file, files)
  return part === null || partProblems(part, 'user', '').length > 0 ? null : part
}

function mediaDraft({ mediaType, source, metadata }: FilePart, files: Files): JsonObject | null {
  const note = noteOf(metadata, 'google')
  const own = note['own'] === true
  const inner = notedInner(note)
  const seal = isSignature(note['thoughtSignature'])
    ? { thoughtSignature: note['thoughtSignature'] }
    : {}
  const fields = own ? { ...notedSideFields(note), ...seal } : {}
  if (source.kind === 'url') {
    if (!own && !(isTaken(mediaType) && isWebAddress(source.url))) return null
    const typed =
      note['mimeType'] === false || mediaType.endsWith('/*') ? {} : { mimeType: mediaType }
    return { ...fields, fileData: { ...inner, ...typed, fileUri: source.url } }
  }
  const bytes = storedBytes(source, files)
  if (bytes === null || mediaType.endsWith('/*') || !(own || isTaken(mediaType))) return null
  return { ...fields, inlineData: { ...inner, mimeType: mediaType, data: base64Of(bytes) } }
}

const pictures = /^image\/(?:png|jpeg|webp|heic|heif|\*)$/
const others = /^(?:audio|video|text)\/[a-z0-9.+-]+$/

function isTaken(mediaType: string): boolean {
  return pictures.test(mediaType) || others.test(mediaType) || mediaType === 'application/pdf'
}
