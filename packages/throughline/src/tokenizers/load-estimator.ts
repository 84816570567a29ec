/**
 * The estimator on demand: what it knows of a vocabulary is 0.4 MB, and a program
 * that only counts exactly should not pay for it.
 */
import type { Tokenizer } from '../ports/tokenizer.ts'

/** An upper estimate for models whose tokenizer nobody has. */
export async function loadEstimator(): Promise<Tokenizer> {
  return (await import('./estimate.ts')).estimator
}
