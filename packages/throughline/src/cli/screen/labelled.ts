/** Renders rows of a label and a text, wrapped to the width. */
import type { Conversation } from '../../index.ts'
import type { Output } from '../world.ts'
import { cutTo, padEnd, widthOf, wrap } from './cells.ts'
import { safeLine } from './safe-text.ts'
import { styleOf } from './style.ts'

/** A function renders for a number of columns and is not wrapped; a row with null is skipped. */
export type LabelledRow = readonly [label: string, text: RowText | null]

type RowText = string | ((columns: number) => string)

/** `labelColumns`: the least width of the labels, to align several lists. */
export function labelled(
  all: readonly LabelledRow[],
  output: Output,
  { paint = styleOf(output).dim, labelColumns = 0 }: LabelOptions = {},
): readonly string[] {
  const rows = all.flatMap(([label, text]) => (text === null ? [] : [[label, text] as const]))
  const column = Math.max(labelColumns, ...rows.map(([label]) => widthOf(label)))
  const columns = output.width - column - 4
  // A narrow terminal has no room beside the labels.
  if (columns < narrowest)
    return rows.flatMap(([label, text]) => [
      ...(label === '' ? [] : [`  ${paint(label)}`]),
      ...linesOf(text, output.width - 4).map((line) => `    ${line}`),
    ])
  return rows.flatMap(([label, text]) =>
    linesOf(text, columns).map((line, index) =>
      `  ${paint(padEnd(index === 0 ? label : '', column))}  ${line}`.trimEnd(),
    ),
  )
}

type LabelOptions = Readonly<{ paint?: (text: string) => string; labelColumns?: number }>
const narrowest = 20

function linesOf(text: RowText, columns: number): readonly string[] {
  return typeof text === 'string' ? wrap(text, columns) : [text(columns)]
}

type Drawn = Pick<Output, 'colours' | 'unicode'>

export function meter(share: number, cells: number, output: Drawn): string {
  const { full, empty, green, yellow, red, dim } = styleOf(output)
  const within = Math.min(1, Math.max(0, share))
  const filled = within > 0 ? Math.max(1, Math.round(within * cells)) : 0
  const paint = share >= 0.9 ? red : share >= 0.7 ? yellow : green
  return paint(full.repeat(filled)) + dim(empty.repeat(cells - filled))
}

/** A narrow row has a shorter bar. */
export function meterRow(share: number, figures: string, output: Drawn): RowText {
  return (columns) => {
    const cells = Math.min(mostCells, columns - widthOf(figures) - 1)
    return cells < leastCells ? figures : `${meter(share, cells, output)} ${figures}`
  }
}

const mostCells = 30
const leastCells = 4

export function heading({ id, title }: Pick<Conversation, 'id' | 'title'>, output: Output): string {
  const { bold, more } = styleOf(output)
  const name = cutTo(safeLine(id), output.width, more)
  const room = output.width - name.length - 2
  if (title === null || room < 8) return bold(name)
  return `${bold(name)}  ${cutTo(safeLine(title), room, more)}`
}

export function titled(conversation: Conversation, lines: readonly string[], output: Output) {
  return [heading(conversation, output), '', ...lines]
}
