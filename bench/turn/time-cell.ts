/**
 * Times one cell in a process of its own, so that its peak of memory is its own, and prints the
 * result as JSON. The minimum alternates with ours, so that a busy machine affects both.
 */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { quantile } from '../../packages/throughline/src/cli/simulation/statistics.ts'
import { minimumKeeper, type TurnCell, throughlineKeeper } from './keepers.ts'

export interface CellPlan extends TurnCell {
  readonly folder: string
  readonly turnsMeasured: number
  /** Turns before them, so that the view is in a steady state. */
  readonly turnsToWarmUp: number
}

export interface CellTimes {
  readonly ours: Times
  readonly minimum: Times
  /** Work between two turns, while a model would answer. */
  readonly background: Times
  readonly appendMicroseconds: number
  readonly contextMicroseconds: number
  readonly shown: number
  readonly compactions: number
  readonly fileBytes: number
  readonly peakBytes: number
}

export interface Times {
  readonly mean: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly cpu: number
  /** Null where the system does not count them. */
  readonly bytesWritten: number | null
}

async function timeCell(plan: CellPlan): Promise<CellTimes> {
  const ours = throughlineKeeper(join(plan.folder, 'ours.db'), plan)
  const minimum = minimumKeeper(join(plan.folder, 'minimum.db'), plan, await ours.tokenizer())
  try {
    await ours.fill()
    minimum.fill()
    return await timeTurns(plan, ours, minimum)
  } finally {
    await ours.close()
    minimum.close()
  }
}

async function timeTurns(
  plan: CellPlan,
  ours: ReturnType<typeof throughlineKeeper>,
  minimum: ReturnType<typeof minimumKeeper>,
): Promise<CellTimes> {
  const [oursTimer, minimumTimer, background] = [stopwatch(), stopwatch(), stopwatch()]
  const contexts: number[] = []
  let [shown, shownSum, compactions] = [0, 0, 0]
  for (let turn = 0; turn < plan.turnsToWarmUp + plan.turnsMeasured; turn += 1) {
    const isMeasured = turn >= plan.turnsToWarmUp
    const floorTurn = () => minimumTimer.time(isMeasured, () => minimum.turn(turn + 1, shown))
    // The first to count a text pays for the tokenizer's cache.
    if (turn % 2 === 0) await floorTurn()
    const kept = await oursTimer.time(isMeasured, () => ours.turn(turn + 1))
    await background.time(isMeasured, ours.settled)
    shown = kept.shown
    if (turn % 2 === 1) await floorTurn()
    if (!isMeasured) continue
    contexts.push(kept.contextMicroseconds)
    shownSum += shown
    if (kept.isCompaction) compactions += 1
  }
  const times = oursTimer.times()
  return {
    ours: times,
    minimum: minimumTimer.times(),
    background: background.times(),
    contextMicroseconds: mean(contexts),
    appendMicroseconds: times.mean - mean(contexts),
    shown: shownSum / plan.turnsMeasured,
    compactions,
    fileBytes: fileBytes(join(plan.folder, 'ours.db')),
    peakBytes: process.resourceUsage().maxRSS * 1_024,
  }
}

function stopwatch() {
  const microseconds: number[] = []
  let [cpu, bytes] = [0, 0]
  return {
    time: async <Value>(isMeasured: boolean, run: () => Value | Promise<Value>): Promise<Value> => {
      const written = bytesWritten()
      const cpuBefore = process.cpuUsage()
      const started = performance.now()
      const value = await run()
      const elapsed = performance.now() - started
      const { user, system } = process.cpuUsage(cpuBefore)
      if (isMeasured) {
        microseconds.push(elapsed * 1_000)
        cpu += user + system
        bytes += (bytesWritten() ?? 0) - (written ?? 0)
      }
      return value
    },
    times: (): Times => ({
      mean: mean(microseconds),
      p50: quantile(microseconds, 0.5),
      p95: quantile(microseconds, 0.95),
      p99: quantile(microseconds, 0.99),
      cpu: cpu / microseconds.length,
      bytesWritten: bytesWritten() === null ? null : bytes / microseconds.length,
    }),
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}

/** With its write-ahead log. */
function fileBytes(file: string): number {
  const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0
  return sizeOf(file) + sizeOf(`${file}-wal`)
}

/** Bytes that this process has written to files; null outside Linux. */
function bytesWritten(): number | null {
  try {
    return Number(/^wchar: (\d+)/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1] ?? Number.NaN)
  } catch {
    return null
  }
}

if (import.meta.main) {
  const plan = JSON.parse(process.argv[2] ?? '') as CellPlan
  process.stdout.write(JSON.stringify(await timeCell(plan)))
}
