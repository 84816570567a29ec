/** Rows of a label and a text, the texts below each other, wrapped to the width. */
import type { Output } from '../world.ts'
import { padEnd, widthOf, wrap } from './cells.ts'
import { paintOf } from './paint.ts'

/** What is drawn, such as a meter, is told how many columns there are, and not wrapped. */
export type LabelledRow = readonly [
  label: string,
  text: string | { readonly drawn: (columns: number) => string },
]

export interface LabelledOptions {
  /** Of the labels; dim unless set. */
  readonly paint?: (text: string) => string
  /** At least so many columns for the labels, so that several lists stand below each other. */
  readonly labelColumns?: number
}

export function labelled(
  rows: readonly LabelledRow[],
  output: Output,
  { paint = paintOf(output).dim, labelColumns = 0 }: LabelledOptions = {},
): readonly string[] {
  const column = Math.max(labelColumns, ...rows.map(([label]) => widthOf(label)))
  const columns = output.width - column - 4
  // Beside the labels of a narrow terminal, words would stand letter below letter.
  if (columns < narrowest) return below(rows, output, paint)
  return rows.flatMap(([label, text]) =>
    linesOf(text, columns).map((line, index) =>
      `  ${paint(padEnd(index === 0 ? label : '', column))}  ${line}`.trimEnd(),
    ),
  )
}

const narrowest = 20

function below(
  rows: readonly LabelledRow[],
  output: Output,
  paint: (text: string) => string,
): readonly string[] {
  return rows.flatMap(([label, text]) => [
    ...(label === '' ? [] : [`  ${paint(label)}`]),
    ...linesOf(text, output.width - 4).map((line) => `    ${line}`),
  ])
}

function linesOf(text: LabelledRow[1], columns: number): readonly string[] {
  return typeof text === 'string' ? wrap(text, columns) : [text.drawn(columns)]
}
