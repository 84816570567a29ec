/** Text of a size that is asked for in characters, and limited in tokens. */
import { defaults } from '../../defaults.ts'
import type { Meter } from './measure.ts'

const tries = 6
const less = 0.8

/** Made with fewer characters until it has no more tokens than it may; null where it never has. */
export async function withinTokens<Made extends { readonly text: string }>(
  mostTokens: number,
  /** About how many characters a token has in it. */
  perToken: number,
  meter: Pick<Meter, 'text'>,
  make: (characters: number) => Made | Promise<Made>,
): Promise<Made | null> {
  if (mostTokens < defaults.summaryLeastTokens.value) return null
  let characters = mostTokens * perToken
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const made = await make(characters)
    const counted = meter.text(made.text)
    if (counted <= mostTokens) return made
    characters *= Math.min(less, mostTokens / counted)
  }
  return null
}
