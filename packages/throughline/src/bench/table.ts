/** A report as a table for people. */
import { grouped } from '../domain/grouped-number.ts'
import type { BenchReport, BenchRow } from './report.ts'

export const reportColumns = ['source', 'method', 'size', 'value', 'unit', 'n'] as const

/** A report as a table for people. See `bench`. */
export function table(report: BenchReport): string {
  const lines = [reportColumns.map(String), ...reportCells(report)]
  const widths = reportColumns.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  )
  const drawn = lines.map((line) =>
    line
      .map((cell, column) =>
        isNumber(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  )
  return [`bench ${report.measure}   policy ${report.policyHash}`, '', ...drawn].join('\n')
}

export function reportCells({ rows }: BenchReport): readonly (readonly string[])[] {
  return rows.map(cells)
}

function cells(row: BenchRow): readonly string[] {
  return [row.source, row.method, grouped(row.size), shortened(row.value), row.unit, grouped(row.n)]
}

function isNumber(column: number): boolean {
  return (
    reportColumns[column] === 'size' ||
    reportColumns[column] === 'value' ||
    reportColumns[column] === 'n'
  )
}

function shortened(value: number): string {
  const digits = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : 2
  return value.toLocaleString('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
}
