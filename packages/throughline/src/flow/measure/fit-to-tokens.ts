/** Cuts a summary or digest to a token limit that includes the mark of the cut. */
import { defaults } from '../../defaults-data.ts'
import { textStart } from '../text/excerpt.ts'
import type { Meter } from './measure.ts'

const mark = '[Summary truncated]'
const tries = 8
const shrinkPerTry = 0.8

/** Empty if even the mark does not fit. */
export function fitToTokens(text: string, mostTokens: number, meter: Pick<Meter, 'text'>): string {
  const count = (part: string) => meter.text(part)
  if (count(text) <= mostTokens) return text
  let room = mostTokens - count(`\n${mark}`)
  for (let attempt = 0; attempt < tries && room >= 1; attempt += 1) {
    const kept = textStart(text, Math.floor(room), count).trimEnd()
    const fitted = kept === '' ? mark : `${kept}\n${mark}`
    // Joined texts may have more tokens than their sum.
    if (count(fitted) <= mostTokens) return fitted
    room *= shrinkPerTry
  }
  return count(mark) <= mostTokens ? mark : ''
}

const shorteningTries = 6
const shrinkRatio = 0.8

/** Calls `make` with fewer characters until the text fits; null if it never does. */
export async function withinTokens<Made extends { readonly text: string }>(
  mostTokens: number,
  perToken: number,
  meter: Pick<Meter, 'text'>,
  make: (characters: number) => Made | Promise<Made>,
): Promise<Made | null> {
  if (mostTokens < defaults.summaryLeastTokens.value) return null
  let characters = mostTokens * perToken
  for (let attempt = 0; attempt < shorteningTries; attempt += 1) {
    const made = await make(characters)
    const counted = meter.text(made.text)
    if (counted <= mostTokens) return made
    characters *= Math.min(shrinkRatio, mostTokens / counted)
  }
  return null
}
