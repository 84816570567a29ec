/**
 * Rows in columns: numbers to the right, and the column that may shrink gives way to the width. In a
 * narrow terminal, where that is not enough, others shrink or leave, so that a row stays a line.
 */
import type { Output } from '../world.ts'
import { cutTo, padEnd, padStart, widthOf } from './cells.ts'
import { styleOf } from './style.ts'

export interface Column {
  readonly title: string
  readonly align?: 'left' | 'right'
  /** Cut where the table would be wider than the screen; one column of a table. */
  readonly shrinks?: boolean
  /** What it does where a terminal is too narrow for that; of those that leave, the last goes first. */
  readonly narrow?: 'shrinks' | 'leaves'
  readonly paint?: (text: string) => string
}

/** Cells are plain text; colours come from their columns, when all widths are known. */
export function drawTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  output: Output,
): readonly string[] {
  const { dim, more } = styleOf(output)
  const natural = columns.map((column, index) => ({
    column,
    index,
    width: Math.max(widthOf(column.title), ...rows.map((row) => widthOf(row[index] ?? ''))),
  }))
  const fitted = output.isTerminal
    ? inTerminal(natural, output.width)
    : inPipe(natural, output.width)
  const line = (cells: readonly string[], paintOfColumn: (column: Column) => Column['paint']) =>
    fitted
      .map(({ column, index, width }, place) => {
        const cell = cutTo(cells[index] ?? '', width, more)
        const isLast = place === fitted.length - 1
        const padded =
          column.align === 'right' ? padStart(cell, width) : isLast ? cell : padEnd(cell, width)
        return paintOfColumn(column)?.(padded) ?? padded
      })
      .join(gap)
      .trimEnd()
  const titles = columns.map(({ title }) => title)
  return [line(titles, () => dim), ...rows.map((row) => line(row, ({ paint }) => paint))]
}

interface Fitted {
  readonly column: Column
  readonly index: number
  readonly width: number
}

const gap = '  '
const leastColumn = 4
/** As far as a column shrinks before another one leaves for it. */
const enoughColumn = 12

/** Nothing is lost that a program would look for: a line may be longer than the width. */
function inPipe(natural: readonly Fitted[], width: number): readonly Fitted[] {
  return shrunk(natural, width, leastColumn, ({ shrinks }) => shrinks === true)
}

function inTerminal(natural: readonly Fitted[], width: number): readonly Fitted[] {
  const some = shrunk(natural, width, enoughColumn, ({ shrinks }) => shrinks === true)
  const more = shrunk(some, width, enoughColumn, ({ narrow }) => narrow === 'shrinks')
  if (widthOfAll(more) <= width) return more
  const leaves = natural.findLast(({ column }) => column.narrow === 'leaves')
  if (leaves !== undefined)
    return inTerminal(
      natural.filter((each) => each !== leaves),
      width,
    )
  const less = shrunk(more, width, leastColumn, ({ shrinks }) => shrinks === true)
  return shrunk(less, width, 1, () => true)
}

/** The widest of these gives way first. */
function shrunk(
  fitted: readonly Fitted[],
  width: number,
  least: number,
  may: (column: Column) => boolean,
): readonly Fitted[] {
  const widths = fitted.map((each) => each.width)
  for (let over = widthOfAll(fitted) - width; over > 0; over -= 1) {
    const places = widths.flatMap((each, place) => {
      const column = fitted[place]?.column
      return column !== undefined && may(column) && each > least ? [place] : []
    })
    const widest = Math.max(...places.map((place) => widths[place] ?? 0))
    const place = places.findLast((each) => widths[each] === widest)
    if (place === undefined) break
    widths[place] = widest - 1
  }
  return fitted.map((each, place) => ({ ...each, width: widths[place] ?? each.width }))
}

function widthOfAll(fitted: readonly Fitted[]): number {
  return fitted.reduce((sum, each) => sum + each.width, 0) + gap.length * (fitted.length - 1)
}
