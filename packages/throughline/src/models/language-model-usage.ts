/**
 * The usage of a call in one form: flat, whole tokens, only what the provider told. Version 2
 * of the specification has it flat already, later ones nest it.
 */
import type { Usage } from '../domain/usage.ts'
import { fieldsOf } from './language-model-shape.ts'

/** Null where nothing is told. `inputTokens` is all of the input, also what was cached. */
export function usageOf(reported: unknown): Usage | null {
  const usage = fieldsOf(reported)
  const input = fieldsOf(usage['inputTokens'])
  const output = fieldsOf(usage['outputTokens'])
  const told = {
    inputTokens: usage['inputTokens'] === input ? input['total'] : usage['inputTokens'],
    cachedInputTokens: usage['cachedInputTokens'] ?? input['cacheRead'],
    cacheWriteTokens: input['cacheWrite'],
    outputTokens: usage['outputTokens'] === output ? output['total'] : usage['outputTokens'],
    reasoningTokens: usage['reasoningTokens'] ?? output['reasoning'],
  }
  const counts = Object.entries(told).filter(([, count]) => isCount(count))
  return counts.length === 0 ? null : Object.fromEntries(counts)
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}
