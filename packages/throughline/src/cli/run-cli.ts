/**
 * From words to an exit code: finds the command, runs it, and has told what went wrong. What only
 * some runs need is loaded only by them.
 */
import { typedCommand } from './command.ts'
import { commandNames, loadCommand } from './command-table.ts'
import { done, type Ending, endingOf, WrongUsage } from './ending.ts'
import { notices, settle, tellProblem } from './screen/tell.ts'
import type { OuterWorld, World } from './world.ts'

export async function runCli(words: readonly string[], outer: OuterWorld): Promise<number> {
  const json = words.includes('--json')
  const world: World = { ...outer, notice: notices(outer, { json }) }
  const { problem, exitCode } = await ran(words, world).catch((error) => endingOf(error, world))
  if (problem !== null) await tellProblem(problem, { json }, world)
  return exitCode
}

async function ran(words: readonly string[], world: World): Promise<Ending> {
  const [first, ...rest] = words
  const asksHelp = first === undefined || helpWords.includes(first)
  const [name] = asksHelp ? rest.filter((word) => !word.startsWith('-')) : words
  if (name === undefined) return (await import('./help.ts')).overview(world)
  if (name === '--version' || name === '-v') {
    const { packageVersion } = await import('./version.ts')
    await world.stdout.write(`${packageVersion()}\n`)
    return done
  }
  const command = await loadCommand(name)
  if (command === null) throw new WrongUsage(await unknownCommand(name, world))
  if (asksHelp || rest.includes('--help') || rest.includes('-h'))
    return (await import('./help.ts')).commandHelp(name, command, world)
  const { parseArguments } = await import('./parse-arguments.ts')
  const args = parseArguments(name, command, rest, world)
  return settle(args, world, await command.run(args, world))
}

const helpWords: readonly string[] = ['help', '--help', '-h']

async function unknownCommand(name: string, world: World): Promise<string> {
  const { nearest } = await import('../domain/text.ts')
  const meant = nearest(name, commandNames)
  const hint =
    meant === null ? `${typedCommand('--help', world)} lists them` : `did you mean "${meant}"?`
  return `there is no command "${name}"; ${hint}`
}
