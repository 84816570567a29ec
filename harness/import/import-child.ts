/**
 * The importing process: runs the unmodified command line and prints its peak memory. With KILL_AT it
 * kills itself as soon as its store has that size, because an outside observer might be too late on
 * a busy machine.
 */
import { runCli } from '../../packages/throughline/src/cli/run-cli.ts'
import { systemWorld } from '../../packages/throughline/src/cli/system-world.ts'
import { storeSize } from './run-import.ts'

const killAt = Number(process.env['KILL_AT'] ?? Number.POSITIVE_INFINITY)
const store = process.argv[process.argv.indexOf('--store') + 1] ?? ''
if (killAt < Number.POSITIVE_INFINITY) watch()

process.exitCode = await runCli(process.argv.slice(2), systemWorld())
// Kilobytes on every system.
process.stderr.write(`peak ${process.resourceUsage().maxRSS}\n`)

function watch(): void {
  if (storeSize(store) >= killAt) process.kill(process.pid, 'SIGKILL')
  setImmediate(watch).unref()
}
