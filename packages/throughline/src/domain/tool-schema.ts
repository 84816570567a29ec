/** A tool that the model may call, as its provider is told. */
import type { JsonObject, JsonValue } from './json.ts'

export interface ToolSchema {
  readonly name: string
  readonly description?: string | undefined
  /** A JSON schema. */
  readonly parameters?: JsonValue | undefined
  /** What a provider's own form of the tool holds besides; adapters write and read it. */
  readonly metadata?: JsonObject | undefined
}
