/** The command line as a process. */
import { runCli } from './run-cli.ts'
import { systemWorld } from './system-world.ts'

process.exitCode = await runCli(process.argv.slice(2), systemWorld())
// Whoever still holds the other end of our input does not keep us: all is done.
process.stdin.destroy()
