/** Why a compaction happened, with the figures that decided. */
import { number } from './format.ts'
import type { Receipt, RequestUse } from './types.ts'
import { reasonText } from './words.ts'

export interface Why {
  readonly reason: string
  readonly figures: string
}

/**
 * Where no model writes summaries, the engine names the trigger also for a request that did not fit
 * before it reached the trigger. The record of the request has the trigger, as long as it is kept.
 */
export function whyCompacted(receipt: Receipt, requests: readonly RequestUse[]): Why {
  const { reason: code, figures } = receipt.decision
  const { tokens, availableTokens } = figures
  const reason = reasonText(code)
  if (tokens === null) return { reason, figures: '' }
  const trigger = requests.findLast(
    ({ model, epoch }) => model === receipt.model && epoch === receipt.epoch,
  )?.triggerTokens
  const size = `${number(tokens)} of ${number(availableTokens)} available tokens`
  if (code !== 'tokenRatio' && code !== 'tokens') return { reason, figures: size }
  if (tokens > availableTokens) return { reason: 'the request would not fit', figures: size }
  if (trigger === undefined) return { reason, figures: size }
  const reached = `${size}; the trigger is ${number(trigger)}`
  if (tokens >= trigger) return { reason: 'the request reached the trigger', figures: reached }
  return {
    reason: 'the request might not fit',
    figures: `estimated at ${number(tokens)} tokens, below the trigger of ${number(trigger)}; but before a provider reports usage, the largest size that its JSON can have must fit, and that was more than the ${number(availableTokens)} available`,
  }
}
