/** Which tokenizer counts for a model: its own where it is installed, else an upper estimate. */
import type { ModelCard } from '../domain/model-card.ts'
import { ThroughlineError } from '../errors.ts'
import type { Tokenizer } from '../ports/tokenizer.ts'
import { loadGptTokenizer } from './gpt.ts'

export async function chooseTokenizer(
  choice: 'auto' | 'exact' | 'estimate' | Tokenizer,
  card: ModelCard,
): Promise<Tokenizer> {
  if (typeof choice === 'object') return choice
  const exact =
    choice === 'estimate' || card.tokenizer === 'estimate'
      ? null
      : await loadGptTokenizer(card.tokenizer)
  if (exact === null && choice === 'exact')
    throw new ThroughlineError(
      'TOKENIZER_MISSING',
      card.tokenizer === 'estimate'
        ? `there is no exact tokenizer for "${card.id}"; set tokenizer to "auto"`
        : `"${card.id}" is counted with gpt-tokenizer, which is not installed`,
    )
  return exact ?? loadEstimator()
}

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
