/**
 * Fields of the AI SDK's prompts that our messages lack, kept under one key of `metadata` and `meta`.
 * The key keeps the SDK's provider options (`anthropic`) apart from the fields of other adapters.
 */
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import { type Fields, isJson, isPlain, otherFields } from '../unknown-json.ts'

const detailsKey = 'aiSdk'

export function sdkDetails(metadata: JsonObject | null | undefined): JsonObject {
  const details = metadata?.[detailsKey]
  return isJsonObject(details) ? details : {}
}

export function metadataFor(value: Fields, known: readonly string[], more: Fields = {}) {
  const others = jsonFields(value, [...known, 'providerOptions'])
  const options = value['providerOptions']
  const providerOptions = isProviderOptions(options) ? options : undefined
  const fields = Object.keys(others).length > 0 ? others : undefined
  const details = otherFields({ ...more, providerOptions, fields }, [])
  return details === undefined ? undefined : { [detailsKey]: details }
}

/** The fields that `metadataFor` kept, without the `known` ones, which are written from our own fields. */
export function extraFields(details: JsonObject, known: readonly string[]): Fields {
  const { fields, providerOptions } = details
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

/** Several providers refuse blank text, but the SDK accepts it. This marks text that was read blank. */
export function blankDetail(text: string): { readonly blank: true | undefined } {
  return { blank: isBlank(text) ? true : undefined }
}

export function isBlank(text: string): boolean {
  return text.trim() === ''
}
