/** Text that ends with a whole sentence. */
import type { SummaryMeter } from '../ports/summary-style.ts'

/** Empty where not even one sentence is whole. */
export function wholeSentences(text: string): string {
  const found = /^[\s\S]*(?:[.!?…]["')\]*_”’»]{0,3}(?=\s|$)|[。！？])/.exec(text)
  if (found === null) return ''
  const kept = found[0].trimEnd()
  const open = openAt(kept)
  return open === -1 ? kept : wholeSentences(kept.slice(0, open))
}

/** Where code or a bracket begins that does not end: the dots of `./...` end no sentence. */
function openAt(text: string): number {
  const from = text.lastIndexOf('\n') + 1
  const line = text.slice(from)
  if (((line.match(/`/g)?.length ?? 0) & 1) === 1) return from + line.lastIndexOf('`')
  const bracket = line.lastIndexOf('(')
  return bracket > line.lastIndexOf(')') && !/[:;=]-?$/.test(line.slice(0, bracket))
    ? from + bracket
    : -1
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
