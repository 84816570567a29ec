/**
 * A recalled text as people read it: the lines that hold what was searched for, what stands beside
 * the best of them, and a sign for what is left out. Results of tools are long, and the answer may
 * stand at the end of one.
 */
import type { Output } from '../world.ts'
import { wrap } from './cells.ts'
import { paintOf } from './paint.ts'
import { safeText } from './safe-text.ts'
import { type SearchedWords, worths } from './searched-words.ts'
import { signsOf } from './signs.ts'

export function recalledLines(
  text: string,
  words: SearchedWords,
  output: Output,
): readonly string[] {
  const { bold, dim } = paintOf(output)
  const { more } = signsOf(output)
  const lines = wrap(safeText(text).trimEnd(), output.width - 2)
  const shown = lines.length <= linesShown ? lines.map((_, place) => place) : chosen(lines, words)
  return shown.flatMap((place, index) => {
    const before = index === 0 ? -1 : (shown[index - 1] ?? -1)
    const isLast = index === shown.length - 1
    return [
      ...(place > before + 1 ? [dim(more)] : []),
      words.marked(lines[place] ?? '', bold),
      ...(isLast && place < lines.length - 1 ? [dim(more)] : []),
    ]
  })
}

const linesShown = 4

/** The places of the best lines, in order; the first ones where none has a word. */
function chosen(lines: readonly string[], words: SearchedWords): readonly number[] {
  const worth = worths(lines.map((line) => words.in(line)))
  const ranked = lines
    .map((_, place) => place)
    .filter((place) => (worth[place] ?? 0) > 0)
    .sort((one, other) => (worth[other] ?? 0) - (worth[one] ?? 0) || one - other)
  const [best = 0] = ranked
  const beside = [best, best + 1, best - 1].filter((place) => lines[place]?.trim())
  const places = new Set([...ranked.slice(0, linesShown - 2), ...beside, ...ranked])
  return [...places].slice(0, linesShown).sort((one, other) => one - other)
}
