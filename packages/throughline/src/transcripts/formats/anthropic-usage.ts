/** `usage` of an Anthropic answer. */
import type { JsonValue } from '../../index.ts'
import { countOf } from '../json/json-access.ts'
import type { ReportedUsage } from '../transcript.ts'

export function anthropicUsage(usage: JsonValue | undefined): ReportedUsage | null {
  const input = countOf(usage, 'input_tokens')
  const cacheWriteTokens = countOf(usage, 'cache_creation_input_tokens')
  const cacheReadTokens = countOf(usage, 'cache_read_input_tokens')
  const inputTokens = (input ?? 0) + (cacheWriteTokens ?? 0) + (cacheReadTokens ?? 0)
  // Messages that a client wrote itself report zeros: no request stands behind them.
  if (input === null || inputTokens === 0) return null
  const outputTokens = countOf(usage, 'output_tokens')
  return { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }
}
