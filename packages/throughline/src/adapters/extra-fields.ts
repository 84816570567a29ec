/**
 * Provider fields that a message of ours has no field for. They are kept under the provider's name in
 * `metadata`, so that `write` can restore them.
 */
import type { ToolSchema } from '../domain/context.ts'
import type { JsonObject } from '../domain/json.ts'
import { type Fields, isFields } from './unknown-json.ts'

/** Empty where the field holds no object. */
export function objectAt(fields: Fields, name: string): JsonObject {
  // `metadata` is JSON.
  return isFields(fields[name]) ? (fields[name] as JsonObject) : {}
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
 * definition in `metadata.tool`; without a schema no other provider can use it.
 */
export function isServiceTool({ metadata, parameters }: ToolSchema): boolean {
  if (parameters !== undefined) return false
  return Object.values(metadata ?? {}).some((kept) => isFields(kept) && isFields(kept['tool']))
}
