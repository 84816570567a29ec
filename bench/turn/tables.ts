/** The rows of `bench turn` as two tables with a line for each cell: ours, then the minimum. */
import { grouped } from '../../packages/throughline/src/domain/text.ts'
import type { BenchRow, BenchTable } from '../report.ts'

export function turnTables(rows: readonly BenchRow[]): readonly BenchTable[] {
  return [
    tableOf(rows, 'throughline', [
      ['mean', 'µs per turn, mean'],
      ['p50', 'µs per turn, p50'],
      ['p95', 'µs per turn, p95'],
      ['p99', 'µs per turn, p99'],
      ['× minimum', '× minimum, mean'],
      ['CPU', 'CPU µs per turn, mean'],
      ['background', 'µs in the background, mean'],
      ['append', 'µs to append, mean'],
      ['context', 'µs for the context, mean'],
      ['written', 'bytes written per turn, mean'],
      ['peak MB', 'bytes of memory, peak'],
      ['file MB', 'bytes of the file'],
      ['compactions', 'compactions'],
    ]),
    tableOf(rows, 'minimum', [
      ['mean', 'µs per turn, mean'],
      ['p50', 'µs per turn, p50'],
      ['p95', 'µs per turn, p95'],
      ['p99', 'µs per turn, p99'],
      ['CPU', 'CPU µs per turn, mean'],
      ['written', 'bytes written per turn, mean'],
    ]),
  ]
}

type Column = readonly [title: string, unit: string]

function tableOf(
  rows: readonly BenchRow[],
  method: string,
  columns: readonly Column[],
): BenchTable {
  const cells = Map.groupBy(
    rows.filter((row) => row.method === method),
    ({ source, size }) => `${source}\n${size}`,
  )
  return {
    title: `${method}, µs per turn`,
    columns: ['turns and window', 'messages', ...columns.map(([title]) => title)],
    rows: [...cells.values()].map((cell) => [
      cell[0]?.source ?? '',
      grouped(cell[0]?.size ?? 0),
      ...columns.map(([title, unit]) => figure(cell, title, unit)),
    ]),
  }
}

function figure(cell: readonly BenchRow[], title: string, unit: string): string {
  const value = cell.find((row) => row.unit === unit)?.value
  if (value === undefined) return '–'
  if (title.startsWith('×')) return value.toFixed(2)
  return grouped(Math.round(title.endsWith('MB') ? value / 1_000_000 : value))
}
