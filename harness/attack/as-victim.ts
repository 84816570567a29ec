/**
 * Runs commands with the rights of another user, in a separate process, and prints their results as
 * JSON. If the process is root, it drops that for good. Before that, it runs each command once in a
 * trial folder, because the victim may not be able to read the modules that commands load.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { currentUser, type User } from '../../packages/throughline/src/cli/ownership.ts'
import { runCli } from '../../packages/throughline/src/cli/run-cli.ts'
import { systemWorld } from '../../packages/throughline/src/cli/system-world.ts'
import { capturedOutputs, type RanCommand } from './run-command.ts'

export interface VictimRuns {
  /** Null if this process already runs as the victim. */
  readonly victim: User | null
  readonly tryOn: Place
  readonly steps: readonly VictimStep[]
}

export interface Place {
  readonly cwd: string
  readonly home: string
  readonly env: Readonly<Record<string, string>>
}

type VictimStep = Place & {
  /** The case this step belongs to. */
  readonly of: number
} & ({ readonly words: readonly string[] } | { readonly write: string; readonly text: string })

export interface VictimRan extends RanCommand {
  readonly of: number
  readonly words: readonly string[]
}

const system = systemWorld()
const asked = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as VictimRuns

// Also load what only error paths need.
for (const words of [['nonsense'], ['list', '--nonsense'], ['show', 'nobody', '--json']])
  await run(words, asked.tryOn)
const loaded = new Set<string>()
for (const step of asked.steps) {
  if (!('words' in step) || loaded.has(step.words.slice(0, 2).join(' '))) continue
  loaded.add(step.words.slice(0, 2).join(' '))
  await run(step.words, asked.tryOn)
}
if (asked.victim !== null) {
  process.setgroups?.([])
  process.setgid?.(asked.victim.gid)
  process.setuid?.(asked.victim.uid)
}
const ran: VictimRan[] = []
for (const step of asked.steps)
  if ('words' in step)
    ran.push({ of: step.of, words: step.words, ...(await run(step.words, step)) })
  else writeFileSync(step.write, step.text)
process.stdout.write(JSON.stringify(ran))

async function run(words: readonly string[], { cwd, home, env }: Place): Promise<RanCommand> {
  const { written, outputs } = capturedOutputs(200)
  const exitCode = await runCli(words, {
    ...{ ...system, cwd, home, env, user: currentUser() },
    ...outputs,
  })
  return { exitCode, ...written }
}
