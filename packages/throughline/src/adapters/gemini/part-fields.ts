/** A part of the Gemini API is one field with data, and perhaps some that say more about it. */
import type { JsonObject } from '../../domain/json.ts'
import { notedFields, noteOf } from '../notes.ts'
import { type Fields, isFields, isFilled } from '../unknown-json.ts'

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

/**
 * Which response answers which call. Ids are optional here: a response with an id
 * answers the call of that id, one without the first open call of its name.
 */
interface Named {
  readonly id?: unknown
  readonly name?: unknown
}

/** For each response the index of its call; -1 where there is none. */
export function answeredCalls(
  calls: readonly Named[],
  responses: readonly Named[],
): readonly number[] {
  const taken = new Set<number>()
  const take = (fits: (call: Named) => boolean) => {
    const index = calls.findIndex((call, at) => !taken.has(at) && fits(call))
    if (index >= 0) taken.add(index)
    return index
  }
  const byId = responses.map(({ id }) => (isFilled(id) ? take((call) => call.id === id) : -1))
  return responses.map(({ id, name }, at) =>
    isFilled(id) ? (byId[at] ?? -1) : take((call) => call.name === name),
  )
}
