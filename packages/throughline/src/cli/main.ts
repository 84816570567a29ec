/** The entry point of the command line. */
import { runCli } from './run-cli.ts'
import { systemWorld } from './system-world.ts'

process.exitCode = await runCli(process.argv.slice(2), systemWorld())
// An open pipe on stdin must not keep the process alive.
process.stdin.destroy()
