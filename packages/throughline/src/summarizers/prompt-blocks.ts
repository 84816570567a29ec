import { dataBlock } from '../domain/data-block.ts'
import { shortHash } from '../domain/hash.ts'
import type { JsonObject } from '../domain/json.ts'
import type { ModelRequest } from '../ports/language-model.ts'
import { above } from './prompt-words-data.ts'

export function listed(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n')
}

/** A request of one message, in which nothing is left to chance. */
export function singleRequest({
  system,
  content,
  maxOutputTokens,
  schema = null,
}: Pick<ModelRequest, 'system' | 'maxOutputTokens'> & {
  readonly content: string
  readonly schema?: JsonObject | null
}): ModelRequest {
  return {
    system,
    messages: [{ role: 'user', content }],
    maxOutputTokens,
    temperature: 0,
    schema,
  }
}

/**
 * Every field is required and nothing else is allowed, as the strictest providers ask. Caps stand in
 * descriptions: several providers refuse `maxItems` and `maxLength`, so answers are checked.
 */
export function objectSchema(properties: Readonly<Record<string, JsonObject>>): JsonObject {
  const required = Object.keys(properties)
  return { type: 'object', properties, required, additionalProperties: false }
}

export function textSchema(description: string): JsonObject {
  return { type: 'string', description }
}

/** What a request for a summary is about. */
export interface AskedSource {
  readonly previous: string | null
  /** Null where the conversation stands above the request. */
  readonly transcript: string | null
}

export function transcriptBlock({ transcript }: AskedSource): string {
  return transcript === null ? above : dataBlock('transcript', transcript)
}

export function previousBlock({ previous, transcript }: AskedSource): string {
  if (previous !== null) return dataBlock('previous summary', previous)
  return transcript === null ? 'It stands above, if there is one.' : 'None (start of conversation)'
}

/** The summary so far, where there is one, and the conversation. */
export function sourceBlocks(asked: AskedSource): readonly string[] {
  const { previous } = asked
  const before = previous === null ? [] : [dataBlock('previous summary', previous)]
  return [...before, transcriptBlock(asked)]
}

/**
 * A name for the words of a prompt: the hash of what is asked about a conversation that never
 * changes. Made from the requests themselves, so no change of them can be forgotten.
 */
export function promptHash(version: number, ask: (asked: AskedSource) => ModelRequest): string {
  const requests = [
    ask({ previous: null, transcript: '' }),
    ask({ previous: '', transcript: '' }),
    ask({ previous: null, transcript: null }),
  ]
  return shortHash(JSON.stringify([version, requests]))
}
