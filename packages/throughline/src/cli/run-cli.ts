/**
 * From words to an exit code: finds the command, runs it, and has told what went wrong. What only
 * some runs need is loaded only by them.
 */
import { commandNames, findCommand } from './command-table.ts'
import { type Ending, WrongUsage } from './ending.ts'
import { notices } from './screen/tell.ts'
import type { OuterWorld, World } from './world.ts'

export async function runCli(words: readonly string[], outer: OuterWorld): Promise<number> {
  const world: World = { ...outer, notice: notices(outer, { json: words.includes('--json') }) }
  const ending = await ran(words, world).catch(async (error: unknown) => {
    const { endingOf } = await import('./ending.ts')
    return endingOf(error, world)
  })
  if (ending.problem !== null) {
    const { tellProblem } = await import('./screen/tell.ts')
    await tellProblem(ending.problem, { json: words.includes('--json') }, world)
  }
  return ending.exitCode
}

async function ran(words: readonly string[], world: World): Promise<Ending> {
  const [first, ...rest] = words
  const asksHelp = first === undefined || helpWords.includes(first)
  const [name] = asksHelp ? rest.filter((word) => !word.startsWith('-')) : words
  if (name === undefined) return (await import('./help.ts')).overview(world)
  if (name === '--version' || name === '-v') return (await import('./help.ts')).version(world)
  const entry = findCommand(name)
  if (entry === null) throw new WrongUsage(await unknownCommand(name, world))
  const command = await entry.load()
  if (asksHelp || rest.includes('--help') || rest.includes('-h'))
    return (await import('./help.ts')).commandHelp(name, command, world)
  const { parseArguments } = await import('./parse-arguments.ts')
  const { settle } = await import('./screen/tell.ts')
  const args = parseArguments(name, command, rest, world)
  return settle(args, world, await command.run(args, world))
}

const helpWords: readonly string[] = ['help', '--help', '-h']

async function unknownCommand(name: string, world: World): Promise<string> {
  const { nearest } = await import('../domain/text.ts')
  const meant = nearest(name, commandNames)
  const { typedCommand } = await import('./command.ts')
  const hint =
    meant === null ? `${typedCommand('--help', world)} lists them` : `did you mean "${meant}"?`
  return `there is no command "${name}"; ${hint}`
}
