/** Renders rows in columns. They shrink or are left out in a narrow terminal; in a pipe they are whole. */
import type { Output } from '../world.ts'
import { cutTo, padEnd, padStart, widthOf } from './cells.ts'
import { styleOf } from './style.ts'

export interface Column {
  readonly title: string
  readonly align?: 'left' | 'right'
  /** This column is cut first if the table is wider than the terminal. */
  readonly shrinks?: boolean
  /** If that is not enough: cut this column too, or leave it out; the last one is left out first. */
  readonly narrow?: 'shrinks' | 'leaves'
  readonly paint?: (text: string) => string
}

/** Cells are plain text; columns add the colours after all widths are known. */
export function drawTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  output: Output,
): readonly string[] {
  const { dim, more } = styleOf(output)
  const natural = columns.map((column, index) => ({
    ...column,
    index,
    width: Math.max(widthOf(column.title), ...rows.map((row) => widthOf(row[index] ?? ''))),
  }))
  const fitted = output.isTerminal ? fitTerminal(natural, output.width) : natural
  const line = (cells: readonly string[], paintOfColumn: (column: Column) => Column['paint']) =>
    fitted
      .map((column, place) => {
        const { index, width, align } = column
        const cell = cutTo(cells[index] ?? '', width, more)
        const isLast = place === fitted.length - 1
        const left = isLast ? cell : padEnd(cell, width)
        const padded = align === 'right' ? padStart(cell, width) : left
        return paintOfColumn(column)?.(padded) ?? padded
      })
      .join(gap)
      .trimEnd()
  const titles = columns.map(({ title }) => title)
  return [line(titles, () => dim), ...rows.map((row) => line(row, ({ paint }) => paint))]
}

interface Fitted extends Column {
  readonly index: number
  readonly width: number
}

const gap = '  '
const leastColumn = 4
/** The least width before another column is left out. */
const enoughColumn = 12
const isFirstToShrink = ({ shrinks }: Column) => shrinks === true

function fitTerminal(natural: readonly Fitted[], width: number): readonly Fitted[] {
  const some = shrinkColumns(natural, width, enoughColumn, isFirstToShrink)
  const more = shrinkColumns(some, width, enoughColumn, ({ narrow }) => narrow === 'shrinks')
  if (widthOfAll(more) <= width) return more
  const leaves = natural.findLast(({ narrow }) => narrow === 'leaves')
  const others = natural.filter((each) => each !== leaves)
  if (leaves !== undefined) return fitTerminal(others, width)
  const least = shrinkColumns(more, width, leastColumn, isFirstToShrink)
  return shrinkColumns(least, width, 1, () => true)
}

/** The widest shrinks first. */
function shrinkColumns(
  all: readonly Fitted[],
  width: number,
  least: number,
  may: (column: Column) => boolean,
): readonly Fitted[] {
  const columns = all.map((column) => ({ ...column }))
  for (let over = widthOfAll(all) - width; over > 0; over -= 1) {
    const able = columns.filter((column) => may(column) && column.width > least)
    const widest = Math.max(...able.map((column) => column.width))
    const column = able.findLast((each) => each.width === widest)
    if (column === undefined) break
    column.width -= 1
  }
  return columns
}

function widthOfAll(fitted: readonly Fitted[]): number {
  return fitted.reduce((sum, { width }) => sum + width, 0) + gap.length * (fitted.length - 1)
}
