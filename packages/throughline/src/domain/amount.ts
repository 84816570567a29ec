/** A quantity of tokens that says its unit, so that no number has two meanings. */
import { ThroughlineError } from '../errors.ts'
import { describe } from './describe.ts'

/** So many tokens, or a share of what there is. */
export type Amount = { readonly tokens: number } | { readonly ratio: number }

/**
 * How many tokens an amount of a policy is: `{ ratio: 0.75 }` of 8,000 tokens is 6,000.
 *
 * @example
 * const triggerTokens = resolveAmount({ ratio: 0.75 }, context.available)
 */
export function resolveAmount(amount: Amount, ofTokens: number): number {
  if ('tokens' in amount) return checked(amount.tokens, Number.isSafeInteger(amount.tokens))
  return Math.floor(checked(amount.ratio, amount.ratio <= 1) * ofTokens)
}

function checked(value: number, inRange: boolean): number {
  if (typeof value !== 'number' || !inRange || !(value >= 0))
    throw new ThroughlineError(
      'CONFIG_INVALID',
      `an amount is { tokens: a whole number from 0 } or { ratio: 0 to 1 }, got ${describe(value)}`,
    )
  return value
}
