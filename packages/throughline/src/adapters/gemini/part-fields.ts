/** A part of the Gemini API is one field with data, and perhaps some that say more about it. */
import type { JsonObject } from '../../domain/json.ts'
import { notedFields, noteOf } from '../notes.ts'
import { type Fields, isFields } from '../unknown-json.ts'

const sideFields: readonly string[] = [
  'thought',
  'thoughtSignature',
  'videoMetadata',
  'mediaResolution',
  'partMetadata',
]

function dataFields(part: Fields): readonly string[] {
  return Object.keys(part).filter((key) => !sideFields.includes(key) && part[key] !== undefined)
}

/** The name of the one field with data; null where there is none, or more than one. */
export function dataField(part: Fields): string | null {
  const [first, second] = dataFields(part)
  return second === undefined ? (first ?? null) : null
}

/**
 * Of the fields that were noted, those that may stand beside data. Thoughts and
 * signatures are noted in their own ways, and a note may come from anywhere.
 */
export function notedSideFields(note: Fields): JsonObject {
  return Object.fromEntries(
    Object.entries(notedFields(note)).filter(([key, value]) =>
      key === 'thought' ? value === false : key !== 'thoughtSignature' && sideFields.includes(key),
    ),
  )
}

/** The seal of a part, as it was read from the service or through the AI SDK. */
export function sealOf(metadata: JsonObject | null): unknown {
  const options = noteOf(metadata, 'aiSdk')['providerOptions']
  const google = isFields(options) ? options['google'] : undefined
  const relayed = isFields(google) ? google['thoughtSignature'] : undefined
  return noteOf(metadata, 'google')['thoughtSignature'] ?? relayed
}

const ownFields: readonly string[] = [
  'id',
  'name',
  'args',
  'response',
  'mimeType',
  'data',
  'fileUri',
]

/** Of the fields that were noted inside the data, those that are not written from ours. */
export function notedInner(note: Fields): JsonObject {
  const inner = note['inner']
  if (!isFields(inner)) return {}
  // A list of parts is noted only where it was empty.
  const noted = ([key, value]: readonly [string, unknown]) =>
    key === 'parts' ? Array.isArray(value) && value.length === 0 : !ownFields.includes(key)
  return Object.fromEntries(Object.entries(inner as JsonObject).filter(noted))
}
