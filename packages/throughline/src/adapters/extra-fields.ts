/**
 * Keeps fields of a provider that our messages and tools lack, so that `write` can restore them:
 * `metadata: { <provider>: { <details that the adapter needs>, fields: { <unknown fields> } } }`.
 */
import type { ToolSchema } from '../domain/context.ts'
import type { JsonObject } from '../domain/json.ts'
import { type Fields, isObject } from './unknown-json.ts'

/** Empty if the field has no object. */
export function objectAt(fields: Fields, name: string): JsonObject {
  // The cast is safe: `metadata` is JSON.
  return isObject(fields[name]) ? (fields[name] as JsonObject) : {}
}

export function providerDetails(metadata: JsonObject | null | undefined, provider: string): Fields {
  return objectAt(metadata ?? {}, provider)
}

export function extraFields(details: Fields): JsonObject {
  return objectAt(details, 'fields')
}

/** Returns no `metadata` if there is nothing to keep. */
export function keepExtraFields(provider: string, details: Fields, fields: Fields) {
  const kept = Object.keys(fields).length === 0 ? details : { ...details, fields }
  if (Object.keys(kept).length === 0) return {}
  return { metadata: { [provider]: kept as JsonObject } }
}

/**
 * Whether a provider runs the tool itself (`web_search` and the like). Its adapter keeps the whole
 * definition in `metadata.<provider>.tool`; without a schema no other provider can use it.
 */
export function isServiceTool({ metadata, parameters }: ToolSchema): boolean {
  if (parameters !== undefined) return false
  return Object.values(metadata ?? {}).some((kept) => isObject(kept) && isObject(kept['tool']))
}
