/** Cuts a summary or digest to a token limit that includes the note about the cut. */
import { defaults } from '../../defaults-data.ts'
import { textStart } from '../text/excerpt.ts'
import type { TextMeter } from './measure.ts'

const truncationNote = '[Summary truncated]'
const shrinkRatio = 0.8
const maxCuts = 8

/** Empty if even the note does not fit. */
export function fitToTokens(text: string, maxTokens: number, meter: TextMeter): string {
  const count = (part: string) => meter.text(part)
  if (count(text) <= maxTokens) return text
  let startTokens = maxTokens - count(`\n${truncationNote}`)
  for (let cuts = 0; cuts < maxCuts && startTokens >= 1; cuts += 1) {
    const start = textStart(text, Math.floor(startTokens), count).trimEnd()
    const cut = start === '' ? truncationNote : `${start}\n${truncationNote}`
    // Joined texts may have more tokens than their sum.
    if (count(cut) <= maxTokens) return cut
    startTokens *= shrinkRatio
  }
  return count(truncationNote) <= maxTokens ? truncationNote : ''
}

const maxRenderings = 6

/** Calls `render` with fewer characters until the text fits; null if it never does. */
export async function withinTokens<Rendered extends { readonly text: string }>(
  maxTokens: number,
  charactersPerToken: number,
  meter: TextMeter,
  render: (characters: number) => Rendered | Promise<Rendered>,
): Promise<Rendered | null> {
  if (maxTokens < defaults.summaryLeastTokens) return null
  let characters = maxTokens * charactersPerToken
  for (let renderings = 0; renderings < maxRenderings; renderings += 1) {
    const rendered = await render(characters)
    const tokens = meter.text(rendered.text)
    if (tokens <= maxTokens) return rendered
    characters *= Math.min(shrinkRatio, maxTokens / tokens)
  }
  return null
}
