/**
 * Runs commands in this process without the rights of root, and writes their results as JSON. Root ignores
 * file modes, so a process of root changes to an unprivileged user. Before that, each command runs once on
 * another store: the unprivileged user may not be allowed to read the modules that the commands load.
 */
import { currentUser } from '../../src/cli/ownership.ts'
import { runCli } from '../../src/cli/run-cli.ts'
import { systemWorld } from '../../src/cli/system-world.ts'
import type { Output } from '../../src/cli/world.ts'

export interface UnprivilegedRun {
  readonly store: string
  readonly warmUpStore: string
  readonly cwd: string
  readonly commands: readonly (readonly string[])[]
}

export interface CommandResult {
  readonly words: readonly string[]
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

const system = systemWorld()
const run = JSON.parse(process.argv[2] ?? '') as UnprivilegedRun

await runAll(run.warmUpStore)
if (process.getuid?.() === 0) {
  const unprivilegedId = 65_534
  process.setgroups?.([])
  process.setgid?.(unprivilegedId)
  process.setuid?.(unprivilegedId)
}
process.stdout.write(JSON.stringify(await runAll(run.store)))

async function runAll(store: string): Promise<readonly CommandResult[]> {
  const results: CommandResult[] = []
  for (const words of run.commands) results.push(await runCommand(words, store))
  return results
}

async function runCommand(words: readonly string[], store: string): Promise<CommandResult> {
  const written = { stdout: '', stderr: '' }
  const outputOf = (name: keyof typeof written): Output => ({
    ...{ isTerminal: false, redraws: false, colours: false, unicode: true, width: 80, height: 24 },
    write: async (text) => {
      written[name] += text
    },
  })
  const exitCode = await runCli(words, {
    ...system,
    ...{ stdout: outputOf('stdout'), stderr: outputOf('stderr') },
    ...{ cwd: run.cwd, home: run.cwd, user: currentUser(), env: { THROUGHLINE_STORE: store } },
  })
  return { words, exitCode, ...written }
}
