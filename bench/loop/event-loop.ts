/**
 * How long an operation blocks the event loop: the delays that others see, and the CPU time of the
 * longest turn of the loop, which a busy machine does not change.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import type { BenchRow } from '../report.ts'
import { rowWriter } from '../row-writer.ts'

export function delayRecorder(row: Parameters<typeof rowWriter>[0]) {
  const write = rowWriter(row)
  const rows: BenchRow[] = []
  return {
    rows: () => rows,
    delays: async (name: string, run: () => Promise<unknown>) => {
      const histogram = monitorEventLoopDelay({ resolution: 1 })
      // Work that an earlier operation started does not count.
      await wait(settleMs)
      histogram.enable()
      await wait(2)
      const turns = watchTurns()
      const started = performance.now()
      await run()
      const elapsed = performance.now() - started
      await wait(2)
      const longestTurn = turns.stop()
      histogram.disable()
      const ms = (nanoseconds: number) => nanoseconds / 1e6
      rows.push(
        write(name, elapsed, 'ms in all'),
        write(name, ms(histogram.percentile(99)), 'ms of delay, p99'),
        write(name, ms(histogram.max), 'ms of delay, maximum'),
        write(name, longestTurn, 'ms of CPU, longest turn of the loop'),
      )
    },
  }
}

const settleMs = 50

function watchTurns() {
  let longest = 0
  let before = cpuMs()
  let watching = true
  const look = () => {
    longest = Math.max(longest, cpuMs() - before)
    before = cpuMs()
    if (watching) setImmediate(look)
  }
  setImmediate(look)
  return {
    stop: () => {
      watching = false
      return longest
    },
  }
}

/** Of this thread. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
