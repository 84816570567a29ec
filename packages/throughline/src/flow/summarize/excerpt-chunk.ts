/**
 * A chunk that no model has told, by rules: the beginning of each thing that was said or
 * done in it, and of those again the first and the last, within so many tokens.
 */

import { oneLine } from '../../extract/one-line.ts'
import type { ChunkSource } from '../../ports/summary-style.ts'
import { fitToTokens } from '../measure/fit-to-tokens.ts'
import type { Meter } from '../measure/measure.ts'
import { excerpt } from '../text/excerpt.ts'

// About a sentence.
const lineTokens = 32

export function excerptChunk(
  sources: readonly ChunkSource[],
  mostTokens: number,
  meter: Pick<Meter, 'text'>,
): string {
  const count = (text: string) => meter.text(text)
  const each = Math.max(lineTokens, Math.floor(mostTokens / Math.max(1, sources.length)))
  const note = () => ' … '
  const lines = sources.map(
    ({ role, text }) =>
      `(${role}) ${oneLine(excerpt(text.trim(), { keepTokens: each, count, note }))}`,
  )
  const keepTokens = Math.floor(mostTokens * keptRatio)
  return fitToTokens(
    excerpt(lines.join('\n'), { keepTokens, count, note: () => '\n…\n' }),
    mostTokens,
    meter,
  )
}

// Excerpts may have a little more than they keep, with their notes.
const keptRatio = 0.9
