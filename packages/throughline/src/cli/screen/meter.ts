/** A share as a bar. */
import type { Output } from '../world.ts'
import { widthOf } from './cells.ts'
import { paintOf } from './paint.ts'
import { signsOf } from './signs.ts'

export function meter(
  share: number,
  cells: number,
  output: Pick<Output, 'colours' | 'unicode'>,
): string {
  const { full, empty } = signsOf(output)
  const { green, yellow, red, dim } = paintOf(output)
  const within = Math.min(1, Math.max(0, share))
  const filled = within > 0 ? Math.max(1, Math.round(within * cells)) : 0
  const paint = share >= 0.9 ? red : share >= 0.7 ? yellow : green
  return paint(full.repeat(filled)) + dim(empty.repeat(cells - filled))
}

/** With its figures behind it, for a row that is so many columns wide: a narrow one has a shorter bar. */
export function meterRow(
  share: number,
  figures: string,
  output: Pick<Output, 'colours' | 'unicode'>,
): { readonly drawn: (columns: number) => string } {
  return {
    drawn: (columns) => {
      const cells = Math.min(mostCells, columns - widthOf(figures) - 1)
      return cells < leastCells ? figures : `${meter(share, cells, output)} ${figures}`
    },
  }
}

const mostCells = 30
const leastCells = 4
