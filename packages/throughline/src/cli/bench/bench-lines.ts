/** Measures and what they found, as people read them. */
import {
  type BenchReport,
  type BenchTable,
  type Measure,
  type MeasureName,
  measures,
  table,
} from '../../bench/index.ts'
import { padEnd, wrap } from '../screen/cells.ts'
import { paintOf } from '../screen/paint.ts'
import { safeLine, safeText } from '../screen/safe-text.ts'
import { drawTable } from '../screen/table.ts'
import type { Output } from '../world.ts'

export function measureLines(output: Output): readonly string[] {
  const { cyan } = paintOf(output)
  return [
    ...Object.entries(measures).map(([name, { shows }]) => `  ${cyan(padEnd(name, 12))}${shows}`),
    '',
    'throughline bench MEASURE --data DIR takes one on a folder of transcripts.',
  ]
}

export function benchLines(report: BenchReport, output: Output): readonly string[] {
  const { bold, dim } = paintOf(output)
  const { measure, policyHash, rows } = report
  // A report of ours names a measure of ours.
  const { tables, wants }: Measure = measures[measure as MeasureName]
  if (rows.length > 0 && tables === undefined) return [safeText(table(report))]
  return [
    `${bold(`bench ${measure}`)}   ${dim(`policy ${policyHash}`)}`,
    ...(rows.length === 0 ? ['', ...wrap(nothing(wants), output.width)] : []),
    ...(tables?.(rows) ?? []).flatMap((each) => ['', ...tableLines(each, output)]),
  ]
}

function nothing(wants: string | undefined): string {
  const found = 'Nothing to measure was found.'
  return wants === undefined ? found : `${found} This measure wants ${wants}.`
}

function tableLines({ title, columns, rows }: BenchTable, output: Output): readonly string[] {
  if (rows.length === 0) return []
  return [
    ...wrap(title, output.width),
    ...drawTable(
      columns.map((column, index) => ({
        title: column,
        align: rows.every((row) => isFigure(row[index] ?? '')) ? 'right' : 'left',
        // Names of folders may be long, and their beginning tells them apart.
        shrinks: index === 0,
      })),
      rows.map((row) => row.map(safeLine)),
      output,
    ),
  ]
}

function isFigure(cell: string): boolean {
  return /^[\d.,–]*$/.test(cell)
}
