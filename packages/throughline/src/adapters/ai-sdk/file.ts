/**
 * Files of the AI SDK: `file` and the older `image` in messages, `file` and four older
 * spellings in the outputs of tools.
 */
import type { FilePart } from '../../domain/message.ts'
import type { FileInput } from '../../domain/message-input.ts'
import { base64Of, type Files, isCanonicalBase64 } from '../media.ts'
import { type Fields, isPlain } from '../unknown-json.ts'
import { asTagged, type FileReading, readFileData, writeFileData } from './file-data.ts'
import { metadataFor, notedFields, notesOf } from './notes.ts'
import { pictureType } from './picture-type.ts'

const known = ['type', 'data', 'image', 'url', 'mediaType', 'filename']

/** Null where we could not hold it: the part is then kept as it is. */
export function readFile(part: Fields): FileInput | null {
  const reading = readSource(part)
  if (reading === null) return null
  const { type, mediaType: given, filename } = part
  const mediaType = mediaTypeOf(part, reading)
  return {
    type: 'file',
    mediaType,
    name: typeof filename === 'string' ? filename : undefined,
    ...reading.source,
    metadata: metadataFor(part, known, {
      type: type === 'file' ? undefined : `${type}`,
      data: reading.form,
      mediaType: given === mediaType ? undefined : typeof given === 'string' ? given : null,
    }),
  }
}

function readSource(part: Fields): FileReading | null {
  const { data, image, url } = part
  switch (part['type']) {
    case 'file':
      return readFileData(data)
    case 'image':
      return readFileData(image)
    case 'file-data':
    case 'image-data':
      return typeof data === 'string' && isCanonicalBase64(data)
        ? { source: { data }, form: {}, mediaType: null }
        : null
    case 'file-url':
    case 'image-url':
      return typeof url === 'string' && url !== ''
        ? { source: { url }, form: {}, mediaType: null }
        : null
    default:
      return null
  }
}

/** A whole media type where it can be known: other providers take no half of one. */
function mediaTypeOf({ type, mediaType }: Fields, { source, mediaType: own }: FileReading): string {
  const given = own ?? (typeof mediaType === 'string' ? mediaType : '')
  const picture = given === '' ? `${type}`.startsWith('image') : /^image(?:\/\*)?$/.test(given)
  if (picture) return ('data' in source ? pictureType(source.data) : null) ?? 'image/*'
  return given === '' ? 'application/octet-stream' : given
}

/** The fields that are there: what is undefined is left out. */
function present(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

export type FilePlace = 'user' | 'assistant' | 'output'

/** Null where the SDK could not send it. */
export function writeFile(part: FilePart, place: FilePlace, files: Files): Fields | null {
  const notes = notesOf(part.metadata)
  const type = typeAt(place, notes['type'], part)
  const noted = notes['mediaType']
  const mediaType =
    noted === null && optionalMediaType.includes(type)
      ? undefined
      : typeof noted === 'string' && noted !== ''
        ? noted
        : part.mediaType
  const fields = {
    ...notedFields(notes, known),
    mediaType,
    ...(part.name === null ? {} : { filename: part.name }),
    type,
  }
  const source = writeSource(part, type, files)
  if (source === null) return null
  if (type === 'file' && place === 'output')
    return present({ ...fields, data: asTagged(source['data']) })
  return present({ ...fields, ...source })
}

const optionalMediaType = ['image', 'file-url', 'image-url']

/** The noted type where it may stand here and has what it needs, else the one of today. */
function typeAt(place: FilePlace, noted: unknown, { source }: FilePart): string {
  if (place === 'user' && noted === 'image') return noted
  if (place !== 'output') return 'file'
  if ((noted === 'file-data' || noted === 'image-data') && source.kind === 'stored') return noted
  if ((noted === 'file-url' || noted === 'image-url') && source.kind === 'url') return noted
  return 'file'
}

function writeSource({ source, metadata }: FilePart, type: string, files: Files): Fields | null {
  if (type.endsWith('-url') && source.kind === 'url')
    return URL.canParse(source.url) ? { url: source.url } : null
  if (type.endsWith('-data') && source.kind === 'stored') {
    const bytes = files.get(source.sha256)
    return bytes === undefined || bytes.length === 0 ? null : { data: base64Of(bytes) }
  }
  const form = notesOf(metadata)['data']
  if (type === 'image') {
    // An image takes no tag, whatever the note says.
    const image = writeFileData(source, { ...(isPlain(form) ? form : {}), tagged: false }, files)
    return image === null ? null : { image }
  }
  const data = writeFileData(source, form, files)
  return data === null ? null : { data }
}
