/**
 * Runs commands with the rights of another user, in a process of its own, and writes what came of them as
 * JSON. Where it is root it gives that up for good. Before that each command runs once on a folder to try
 * them on: what they load may be where the victim cannot read it.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { currentUser, type User } from '../../packages/throughline/src/cli/ownership.ts'
import { runCli } from '../../packages/throughline/src/cli/run-cli.ts'
import { systemWorld } from '../../packages/throughline/src/cli/system-world.ts'
import { capturedOutputs, type RanCommand } from './run-command.ts'

export interface VictimRuns {
  /** Null where this process is the victim already. */
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
  /** The case that it belongs to. */
  readonly of: number
} & ({ readonly words: readonly string[] } | { readonly write: string; readonly text: string })

export interface VictimRan extends RanCommand {
  readonly of: number
  readonly words: readonly string[]
}

const system = systemWorld()
const asked = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as VictimRuns

// What only errors load, too.
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
  const { said, outputs } = capturedOutputs(200)
  const exitCode = await runCli(words, {
    ...{ ...system, cwd, home, env, user: currentUser() },
    ...outputs,
  })
  return { exitCode, ...said }
}
