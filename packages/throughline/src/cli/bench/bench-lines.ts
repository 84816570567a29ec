/** Measures and what they found, as people read them. */
import {
  type BenchReport,
  type BenchTable,
  type Measure,
  type MeasureName,
  measures,
  table,
} from '../../bench/index.ts'
import { reportCells, reportColumns } from '../../bench/table.ts'
import { wrap } from '../screen/cells.ts'
import { labelled } from '../screen/labelled.ts'
import { paintOf } from '../screen/paint.ts'
import { safeLine, safeText } from '../screen/safe-text.ts'
import { type Column, drawTable } from '../screen/table.ts'
import type { Output } from '../world.ts'

export function measureLines(output: Output): readonly string[] {
  const { cyan } = paintOf(output)
  return [
    ...labelled(
      Object.entries(measures).map(([name, { shows }]) => [name, shows]),
      output,
      { paint: cyan },
    ),
    '',
    ...wrap(
      'throughline bench MEASURE --data DIR takes one on a folder of transcripts.',
      output.width,
    ),
  ]
}

export function benchLines(report: BenchReport, output: Output): readonly string[] {
  const { bold, dim } = paintOf(output)
  const { measure, policyHash, rows } = report
  // A report of ours names a measure of ours.
  const { tables, wants }: Measure = measures[measure as MeasureName]
  if (rows.length > 0 && tables === undefined && !output.isTerminal)
    return [safeText(table(report))]
  return [
    `${bold(`bench ${measure}`)}   ${dim(`policy ${policyHash}`)}`,
    ...(rows.length > 0 && tables === undefined ? ['', ...reportLines(report, output)] : []),
    ...(rows.length === 0 ? ['', ...wrap(nothing(wants), output.width)] : []),
    ...(tables?.(rows) ?? []).flatMap((each) => ['', ...tableLines(each, output)]),
  ]
}

/** As `table` has it, and no wider than the terminal. */
function reportLines(report: BenchReport, output: Output): readonly string[] {
  const rows = reportCells(report).map((row) => row.map(safeLine))
  return drawTable(reportColumns.map(columnOf), rows, output)
}

function columnOf(title: (typeof reportColumns)[number]): Column {
  switch (title) {
    case 'source':
      return { title, shrinks: true }
    case 'value':
      return { title, align: 'right' }
    case 'size':
    case 'n':
      return { title, align: 'right', narrow: 'leaves' }
    case 'method':
    case 'unit':
      return { title, narrow: 'shrinks' }
  }
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
        ...(index > 1 && { narrow: 'leaves' }),
      })),
      rows.map((row) => row.map(safeLine)),
      output,
    ),
  ]
}

function isFigure(cell: string): boolean {
  return /^[\d.,–]*$/.test(cell)
}
