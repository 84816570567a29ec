/** The server that is killed, or loaded: prints its address and key, then reports its load when asked. */
import { flushCompileCache } from 'node:module'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { readServerSettings, startServer } from '@throughline/server'

const [, , folder = ''] = process.argv
const limits = { requestsPerMinute: 100_000_000 }
const settings = { folder, port: 0, logLevel: 'silent', limits } as const
const { url, firstKey } = await startServer(readServerSettings(settings, { env: {} }))
// A killed process saves no compile cache, so each start would compile everything again.
flushCompileCache()
const delay = monitorEventLoopDelay({ resolution: 10 })
delay.enable()
let [cpu, loopCpu] = [process.cpuUsage(), process.threadCpuUsage()]
process.on('message', (message) => {
  if (message === 'collect') globalThis.gc?.()
  const { user, system } = process.cpuUsage(cpu)
  const loop = process.threadCpuUsage(loopCpu)
  cpu = process.cpuUsage()
  loopCpu = process.threadCpuUsage()
  process.send?.({
    rssMegabytes: process.memoryUsage().rss / 1_048_576,
    heapMegabytes: process.memoryUsage().heapUsed / 1_048_576,
    // The timer itself is in each figure.
    eventLoopP99Ms: Math.max(0, delay.percentile(99) / 1e6 - 10),
    eventLoopMaxMs: Math.max(0, delay.max / 1e6 - 10),
    cpuSeconds: (user + system) / 1e6,
    loopCpuSeconds: (loop.user + loop.system) / 1e6,
  })
  delay.reset()
})
// Without a parent it would run for ever.
process.on('disconnect', () => process.exit(0))
process.send?.({ url, firstKey })
