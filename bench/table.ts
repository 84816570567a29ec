/** A report as a table for people. */
import type { BenchReport, BenchRow } from './report.ts'

const columns = ['source', 'method', 'size', 'value', 'unit', 'n'] as const

/** A report as a table for people. See `bench`. */
export function table({ measure, policyHash, rows }: BenchReport): string {
  return `bench ${measure}   policy ${policyHash}\n\n${drawTable([columns, ...rows.map(cells)])}`
}

/** Columns as wide as their widest cell; numbers are right-aligned. */
export function drawTable(lines: readonly (readonly string[])[]): string {
  const [titles = [], ...rows] = lines
  const widths = titles.map((_, column) =>
    Math.max(...lines.map((line) => cell(line, column).length)),
  )
  const right = titles.map((_, column) => rows.every((row) => /^[\d.,–]*$/.test(cell(row, column))))
  const draw = (line: readonly string[]) =>
    widths
      .map((width, column) =>
        right[column] ? cell(line, column).padStart(width) : cell(line, column).padEnd(width),
      )
      .join('  ')
      .trimEnd()
  return lines.map(draw).join('\n')
}

function cell(line: readonly string[], column: number): string {
  return line[column] ?? ''
}

function cells(row: BenchRow): readonly string[] {
  const { source, method, size, value, unit, n } = row
  return [source, method, grouped(size, 0), grouped(value, digits(value)), unit, grouped(n, 0)]
}

function digits(value: number): number {
  return Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : 2
}

function grouped(value: number, decimals: number): string {
  return value.toLocaleString('en-US', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
}
