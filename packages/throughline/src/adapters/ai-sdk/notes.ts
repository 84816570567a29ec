/**
 * What the AI SDK's form holds and a message has no field for, under one key of `metadata` and `meta`:
 * other adapters must not take the SDK's provider options (`anthropic`) for their own notes.
 */
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import { type Fields, isJson, isPlain, otherFields } from '../unknown-json.ts'

const notesKey = 'aiSdk'

export function notesOf(metadata: JsonObject | null | undefined): JsonObject {
  const notes = metadata?.[notesKey]
  return isJsonObject(notes) ? notes : {}
}

export function metadataFor(value: Fields, known: readonly string[], more: Fields = {}) {
  const others = jsonFields(value, [...known, 'providerOptions'])
  const options = value['providerOptions']
  const providerOptions = isProviderOptions(options) ? options : undefined
  const fields = Object.keys(others).length > 0 ? others : undefined
  const notes = otherFields({ ...more, providerOptions, fields }, [])
  return notes === undefined ? undefined : { [notesKey]: notes }
}

/** As `metadataFor` left them; `known` fields are never overwritten by notes. */
export function notedFields(notes: JsonObject, known: readonly string[]): Fields {
  const { fields, providerOptions } = notes
  return {
    ...(isPlain(fields) ? jsonFields(fields, [...known, 'providerOptions']) : {}),
    ...(isProviderOptions(providerOptions) ? { providerOptions } : {}),
  }
}

export function jsonFields(value: Fields, known: readonly string[]): JsonObject {
  const others = Object.entries(otherFields(value, known) ?? {})
  return Object.fromEntries(others.filter(([, field]) => isJson(field)))
}

export function isJsonObject(value: unknown): value is JsonObject {
  return isPlain(value) && isJson(value)
}

export function isProviderOptions(
  value: unknown,
): value is Readonly<Record<string, Readonly<Record<string, JsonValue>>>> {
  return isPlain(value) && Object.values(value).every(isPlain) && isJson(value)
}

/** Blank text is refused by several providers but taken by the SDK: noted where it was read from there. */
export function blankNote(text: string): { readonly blank: true | undefined } {
  return { blank: isBlank(text) ? true : undefined }
}

export function isBlank(text: string): boolean {
  return text.trim() === ''
}
