/** A row for each fault: what was tried, and what was found. */
import { modelFaults } from '../fault-server.ts'
import type { RunReport } from './tally.ts'
import { sumOf } from './tally.ts'

const columns = [
  'runs',
  'messages',
  'contexts',
  'compactions',
  'requests',
  'faulty',
  'summaries',
  'mended',
  'whileOpen',
  'longestOpenMs',
  'findings',
] as const

export function drawTable(reports: readonly RunReport[]): string {
  const byFault = Map.groupBy(reports, ({ run }) => run.fault)
  const rows = [
    ['fault', ...columns],
    ...modelFaults.flatMap((fault) => {
      const of = byFault.get(fault) ?? []
      return of.length === 0 ? [] : [rowOf(fault, of)]
    }),
    rowOf('all', reports),
  ]
  const widths = rows[0]?.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths?.[0] ?? 0) : cell.padStart(widths?.[column] ?? 0),
        )
        .join('  '),
    )
    .join('\n')
}

function rowOf(name: string, reports: readonly RunReport[]): readonly string[] {
  const findings = reports.reduce((sum, report) => sum + report.findings.length, 0)
  const figures = { ...sumOf(reports), runs: reports.length, findings }
  return [name, ...columns.map((column) => figures[column].toLocaleString('en-US'))]
}
