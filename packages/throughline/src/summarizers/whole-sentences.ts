/** Text that ends with a whole sentence. */
import type { SummaryMeter } from '../ports/summary-style.ts'

/** Empty where not even one sentence is whole. */
export function wholeSentences(text: string): string {
  const found = /^[\s\S]*(?:[.!?…]["')\]*_”’»]{0,3}(?=\s|$)|[。！？])/.exec(text)
  return found === null ? '' : found[0].trimEnd()
}

// More than any token has, but for runs of spaces.
const charactersPerToken = 12

/** As many sentences as there is room for; where not even one fits, the beginning of it. */
export function sentencesWithin(text: string, mostTokens: number, meter: SummaryMeter): string {
  if (meter.count(text) <= mostTokens) return text
  let kept = wholeSentences(text.slice(0, Math.max(0, mostTokens) * charactersPerToken))
  while (kept !== '' && meter.count(kept) > mostTokens) kept = wholeSentences(kept.slice(0, -1))
  return kept === '' ? meter.fit(text, mostTokens) : kept
}
