/**
 * What a turn costs: three messages in one commit, and the context for the next request, in short and
 * long logs, with small and large turns and windows, at both durabilities.
 *
 * For comparison the same run alternates with the minimum: a bare node:sqlite insert of the same rows
 * with one SHA-256 each, at the same durability, the new text counted once, and as many of the newest
 * rows read and parsed as the context shows.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ThroughlineError } from '../packages/throughline/src/errors.ts'
import { measures } from './measures.ts'
import type { BenchOptions, BenchRow } from './report.ts'
import { rowWriter } from './row-writer.ts'
import { shippedSizes } from './shipped-sizes.ts'
import type { TurnCell } from './turn/keepers.ts'
import type { CellPlan, CellTimes, Times } from './turn/time-cell.ts'

const measured = { turnsMeasured: 200, turnsToWarmUp: 100 }

export async function measureTurn(options: BenchOptions): Promise<readonly BenchRow[]> {
  if (options.dataDir !== null)
    throw new ThroughlineError(
      'CONFIG_INVALID',
      'bench turn generates its own turns: leave out --data',
    )
  return turnRows(cellsOf(options), measured, options.progress)
}

function cellsOf({ sizes = shippedSizes.turn, choices }: BenchOptions): readonly TurnCell[] {
  const { durability = [], turns = [], windows = [] } = { ...measures.turn.choices, ...choices }
  return durability.flatMap((each) =>
    turns.flatMap((turnTokens) =>
      windows.flatMap((windowTokens) =>
        sizes.map((messages) => ({
          messages,
          turnTokens: Number(turnTokens),
          windowTokens: Number(windowTokens),
          durability: each === 'normal' ? 'normal' : 'full',
        })),
      ),
    ),
  )
}

export function turnRows(
  cells: readonly TurnCell[],
  turns: Pick<CellPlan, 'turnsMeasured' | 'turnsToWarmUp'>,
  progress?: BenchOptions['progress'],
): readonly BenchRow[] {
  return cells.flatMap((cell, done) => {
    progress?.({ done, total: cells.length, file: sourceOf(cell) })
    const folder = mkdtempSync(join(tmpdir(), 'throughline-bench-'))
    try {
      return rowsOf(cell, turns.turnsMeasured, timeAlone({ ...cell, ...turns, folder }))
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
}

function timeAlone(plan: CellPlan): CellTimes {
  const script = join(import.meta.dirname, 'turn/time-cell.ts')
  const words = ['--conditions=throughline-source', script, JSON.stringify(plan)]
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`bench turn failed: ${stderr}`)
  return JSON.parse(stdout) as CellTimes
}

function sourceOf({ turnTokens, windowTokens, durability }: TurnCell): string {
  return `turns of ${turnTokens}, window ${windowTokens}, ${durability}`
}

function rowsOf(cell: TurnCell, n: number, times: CellTimes): readonly BenchRow[] {
  const row = rowWriter({ source: sourceOf(cell), size: cell.messages, n })
  return [
    ...timeRows(row, 'throughline', times.ours),
    ...timeRows(row, 'minimum', times.minimum),
    row('throughline', times.ours.p50 / times.minimum.p50, '× minimum, p50'),
    row('throughline', times.ours.mean / times.minimum.mean, '× minimum, mean'),
    row('throughline', times.background.mean, 'µs in the background, mean'),
    row('throughline', times.background.cpu, 'CPU µs in the background, mean'),
    row('throughline', times.appendMicroseconds, 'µs to append, mean'),
    row('throughline', times.contextMicroseconds, 'µs for the context, mean'),
    row('throughline', times.shown, 'messages shown, mean'),
    row('throughline', times.compactions, 'compactions'),
    row('throughline', times.fileBytes, 'bytes of the file'),
    row('throughline', times.peakBytes, 'bytes of memory, peak'),
  ]
}

function timeRows(
  row: ReturnType<typeof rowWriter>,
  method: string,
  { mean, p50, p95, p99, cpu, bytesWritten }: Times,
): readonly BenchRow[] {
  return [
    row(method, mean, 'µs per turn, mean'),
    row(method, p50, 'µs per turn, p50'),
    row(method, p95, 'µs per turn, p95'),
    row(method, p99, 'µs per turn, p99'),
    row(method, cpu, 'CPU µs per turn, mean'),
    ...(bytesWritten === null ? [] : [row(method, bytesWritten, 'bytes written per turn, mean')]),
  ]
}
