import { dataBlock } from '../domain/data-block.ts'
import { shortHash } from '../domain/hash.ts'
import type { JsonObject } from '../domain/json.ts'
import type { ModelRequest } from '../ports/language-model.ts'
import { above } from './prompt-words-data.ts'

export function listed(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n')
}

/**
 * The length that a prompt asks for, where there is room for `mostTokens`. Models cannot count, and
 * an answer that is a little too long loses its end.
 */
export function askedTokens(mostTokens: number): number {
  return Math.floor(mostTokens * askedShare)
}

const askedShare = 0.9

export function singleRequest({
  system,
  content,
  maxOutputTokens,
  schema = null,
}: Pick<ModelRequest, 'system' | 'maxOutputTokens'> & {
  readonly content: string
  readonly schema?: JsonObject | null
}): ModelRequest {
  return { system, messages: [{ role: 'user', content }], maxOutputTokens, temperature: 0, schema }
}

/** All fields are required, as strict providers demand. Several refuse `maxItems`: descriptions have it. */
export function objectSchema(properties: Readonly<Record<string, JsonObject>>): JsonObject {
  const required = Object.keys(properties)
  return { type: 'object', properties, required, additionalProperties: false }
}

export function textSchema(description: string): JsonObject {
  return { type: 'string', description }
}

/** What a prompt asks to summarize. */
export interface PromptSource {
  readonly previous: string | null
  /** Null if the request continues the conversation. */
  readonly transcript: string | null
}

export function transcriptBlock({ transcript }: PromptSource): string {
  return transcript === null ? above : dataBlock('transcript', transcript)
}

export function previousBlock({ previous, transcript }: PromptSource): string {
  if (previous !== null) return dataBlock('previous summary', previous)
  return transcript === null ? 'It is above, if there is one.' : 'None (start of conversation)'
}

export function sourceBlocks(source: PromptSource): readonly string[] {
  const { previous } = source
  const before = previous === null ? [] : [dataBlock('previous summary', previous)]
  return [...before, transcriptBlock(source)]
}

/** Hashes the requests themselves, so that no prompt change is missed. */
export function promptHash(version: number, ask: (source: PromptSource) => ModelRequest): string {
  const requests = [
    ask({ previous: null, transcript: '' }),
    ask({ previous: '', transcript: '' }),
    ask({ previous: null, transcript: null }),
  ]
  return shortHash(JSON.stringify([version, requests]))
}
