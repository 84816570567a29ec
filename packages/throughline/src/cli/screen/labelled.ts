/** Rows of a label and a text, the texts below each other, wrapped to the width. */
import type { Output } from '../world.ts'
import { padEnd, widthOf, wrap } from './cells.ts'
import { paintOf } from './paint.ts'

/** A text that is drawn already, such as a meter, is not wrapped. */
export type LabelledRow = readonly [label: string, text: string | { readonly drawn: string }]

export function labelled(rows: readonly LabelledRow[], output: Output): readonly string[] {
  const { dim } = paintOf(output)
  const column = Math.max(0, ...rows.map(([label]) => widthOf(label)))
  // Beside the labels of a narrow terminal, words would stand letter below letter.
  if (output.width - column - 4 < narrowest) return below(rows, output)
  return rows.flatMap(([label, text]) => {
    const lines = typeof text === 'string' ? wrap(text, output.width - column - 4) : [text.drawn]
    return lines.map((line, index) =>
      `  ${dim(padEnd(index === 0 ? label : '', column))}  ${line}`.trimEnd(),
    )
  })
}

const narrowest = 20

function below(rows: readonly LabelledRow[], output: Output): readonly string[] {
  const { dim } = paintOf(output)
  return rows.flatMap(([label, text]) => {
    const lines = typeof text === 'string' ? wrap(text, output.width - 4) : [text.drawn]
    return [...(label === '' ? [] : [`  ${dim(label)}`]), ...lines.map((line) => `    ${line}`)]
  })
}
