/**
 * Runs commands with the rights of nobody, in a process of its own, and writes what came of them as JSON.
 * Root may write everything, so where it is root it gives that up for good; everybody else is bound by
 * the modes of files anyway. Before that each command runs once on a store to try them on: what they
 * load may lie where nobody can read it.
 */
import { currentUser } from '../../src/cli/ownership.ts'
import { runCli } from '../../src/cli/run-cli.ts'
import { systemWorld } from '../../src/cli/system-world.ts'
import type { Output } from '../../src/cli/world.ts'

export interface AsNobody {
  readonly store: string
  readonly tryOn: string
  readonly cwd: string
  readonly commands: readonly (readonly string[])[]
}

export interface RanAsNobody {
  readonly words: readonly string[]
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

const system = systemWorld()
const asked = JSON.parse(process.argv[2] ?? '') as AsNobody

await runAll(asked.tryOn)
if (process.getuid?.() === 0) {
  const nobody = 65_534
  process.setgroups?.([])
  process.setgid?.(nobody)
  process.setuid?.(nobody)
}
process.stdout.write(JSON.stringify(await runAll(asked.store)))

async function runAll(store: string): Promise<readonly RanAsNobody[]> {
  const ran: RanAsNobody[] = []
  for (const words of asked.commands) ran.push(await run(words, store))
  return ran
}

async function run(words: readonly string[], store: string): Promise<RanAsNobody> {
  const said = { stdout: '', stderr: '' }
  const outputOf = (name: keyof typeof said): Output => ({
    ...{ isTerminal: false, redraws: false, colours: false, unicode: true, width: 80, height: 24 },
    write: async (text) => {
      said[name] += text
    },
  })
  const exitCode = await runCli(words, {
    ...system,
    ...{ stdout: outputOf('stdout'), stderr: outputOf('stderr') },
    ...{ cwd: asked.cwd, home: asked.cwd, user: currentUser(), env: { THROUGHLINE_STORE: store } },
  })
  return { words, exitCode, ...said }
}
