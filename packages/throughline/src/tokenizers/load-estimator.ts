/**
 * The estimator on demand: what it knows of a vocabulary is 0.4 MB, and a program
 * that only counts exactly should not pay for it.
 */
import type { Tokenizer } from '../ports/tokenizer.ts'

/**
 * An upper estimate for models whose tokenizer nobody has.
 *
 * @example
 * const estimate = await loadEstimator()
 * console.log(estimate.count('How many tokens is this?'), estimate.exact) // never too low, false
 */
export async function loadEstimator(): Promise<Tokenizer> {
  return (await import('./estimate.ts')).estimator
}
