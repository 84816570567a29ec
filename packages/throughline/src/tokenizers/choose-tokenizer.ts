/** Chooses the tokenizer of a model: its own where that is installed, else an upper estimate. */
import type { ModelCard } from '../domain/model-card.ts'
import { ThroughlineError } from '../errors.ts'
import type { Tokenizer } from '../ports/tokenizer.ts'

export async function chooseTokenizer(
  choice: 'auto' | 'exact' | 'estimate' | Tokenizer,
  card: ModelCard,
): Promise<Tokenizer> {
  if (typeof choice === 'object') return choice
  const isEstimated = choice === 'estimate' || card.tokenizer === 'estimate'
  // With a tokenizer of its own, a web page loads none of ours.
  const exact = isEstimated
    ? null
    : await (await import('./gpt.ts')).loadGptTokenizer(card.tokenizer)
  if (exact === null && choice === 'exact')
    throw new ThroughlineError(
      'TOKENIZER_MISSING',
      card.tokenizer === 'estimate'
        ? `there is no exact tokenizer for "${card.id}"; set tokenizer to "auto"`
        : `"${card.id}" needs gpt-tokenizer, which is not installed; run "npm install gpt-tokenizer"`,
    )
  return exact ?? loadEstimator()
}

/**
 * An upper estimate for models without a public tokenizer.
 *
 * @example
 * const estimate = await loadEstimator()
 * console.log(estimate.count('How many tokens is this?'), estimate.exact) // never too low, false
 */
export async function loadEstimator(): Promise<Tokenizer> {
  return (await import('./estimate.ts')).estimator
}
