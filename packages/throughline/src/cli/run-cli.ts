/**
 * From words to an exit code: finds the command, runs it and reports what went wrong. Modules that only
 * some runs need are imported by them.
 */
import { conversationCommands } from './chat/conversation-commands.ts'
import { type Run, typedCommand } from './command.ts'
import { commandForms } from './commands-data.ts'
import { type Ending, endingOf, WrongUsage } from './ending.ts'
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
  const say = (lines: readonly string[]) =>
    settle({ json: false }, world, { json: null, lines: () => lines })
  if (name === undefined) return say((await import('./help.ts')).overview(world))
  if (name === '--version' || name === '-v')
    return say([(await import('./version.ts')).packageVersion()])
  if (!isCommandName(name)) throw new WrongUsage(await unknownCommand(name, world))
  if (asksHelp || rest.includes('--help') || rest.includes('-h'))
    return say((await import('./help.ts')).commandHelp(name, commandForms[name], world))
  const { parseArguments } = await import('./parse-arguments.ts')
  const args = parseArguments(name, commandForms[name], rest, world)
  const run = await loaders[name]()
  return settle(args, world, await run(args, world))
}

type CommandName = keyof typeof commandForms

function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(commandForms, name)
}

const helpWords: readonly string[] = ['help', '--help', '-h']

async function unknownCommand(name: string, world: World): Promise<string> {
  const { nearest } = await import('../domain/text.ts')
  const meant = nearest(name, Object.keys(commandForms))
  const hint =
    meant === null ? `${typedCommand('--help', world)} lists them` : `did you mean "${meant}"?`
  return `there is no command "${name}"; ${hint}`
}

const loaders: Readonly<Record<CommandName, () => Promise<Run>>> = {
  ...conversationCommands,
  import: async () => (await import('./commands/import.ts')).importCommand,
  list: async () => (await import('./commands/list.ts')).list,
  show: async () => (await import('./commands/show.ts')).show,
  chat: async () => (await import('./commands/chat.ts')).chat,
  purge: async () => (await import('./commands/purge.ts')).purge,
  replay: async () => (await import('./commands/replay.ts')).replay,
  export: async () => (await import('./commands/export.ts')).exportCommand,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  config: async () => (await import('./commands/config.ts')).config,
}
