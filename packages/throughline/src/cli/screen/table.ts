/** Rows in columns: numbers to the right, and the column that may shrink gives way to the width. */
import type { Output } from '../world.ts'
import { cutTo, padEnd, padStart, widthOf } from './cells.ts'
import { paintOf } from './paint.ts'
import { signsOf } from './signs.ts'

export interface Column {
  readonly title: string
  readonly align?: 'left' | 'right'
  /** Cut where the table would be wider than the screen; one column of a table. */
  readonly shrinks?: boolean
  readonly paint?: (text: string) => string
}

/** Cells are plain text; colours come from their columns, when all widths are known. */
export function drawTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  output: Output,
): readonly string[] {
  const { dim } = paintOf(output)
  const { more } = signsOf(output)
  const natural = columns.map(({ title }, index) =>
    Math.max(widthOf(title), ...rows.map((row) => widthOf(row[index] ?? ''))),
  )
  const widths = fitted(columns, natural, output.width)
  const line = (cells: readonly string[], paints: readonly ((text: string) => string)[]) =>
    columns
      .map(({ align }, index) => {
        const width = widths[index] ?? 0
        const cell = cutTo(cells[index] ?? '', width, more)
        const isLast = index === columns.length - 1
        const padded =
          align === 'right' ? padStart(cell, width) : isLast ? cell : padEnd(cell, width)
        return paints[index]?.(padded) ?? padded
      })
      .join('  ')
      .trimEnd()
  const titles = columns.map(({ title }) => title)
  return [
    line(
      titles,
      columns.map(() => dim),
    ),
    ...rows.map((row) =>
      line(
        row,
        columns.map(({ paint }) => paint ?? ((text) => text)),
      ),
    ),
  ]
}

function fitted(
  columns: readonly Column[],
  natural: readonly number[],
  width: number,
): readonly number[] {
  const total = natural.reduce((sum, each) => sum + each, 0) + 2 * (columns.length - 1)
  const tooMuch = Math.max(0, total - width)
  return natural.map((each, index) =>
    columns[index]?.shrinks ? Math.max(leastColumn, each - tooMuch) : each,
  )
}

const leastColumn = 4
