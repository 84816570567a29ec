/**
 * Parses the words, runs the command, reports errors and returns the exit code. Modules that only some
 * commands need are imported on demand, so that a command starts fast.
 */
import { conversationCommands } from './chat/conversation-commands.ts'
import { type Run, typedCommand } from './command.ts'
import { commandForms } from './commands-data.ts'
import { type ExitResult, exitResultOf, UsageError } from './exit-result.ts'
import { createNotices, writeOutcome, writeProblem } from './screen/write-outcome.ts'
import type { OuterWorld, World } from './world.ts'

export async function runCli(words: readonly string[], outer: OuterWorld): Promise<number> {
  const json = ownWords(words).includes('--json')
  const world: World = { ...outer, notice: createNotices(outer, { json }) }
  const { problem, exitCode } = await runCommand(words, world).catch((error) =>
    exitResultOf(error, world),
  )
  if (problem !== null) await writeProblem(problem, { json }, world)
  return exitCode
}

async function runCommand(words: readonly string[], world: World): Promise<ExitResult> {
  const [first, ...rest] = words
  const asksHelp = first === undefined || helpWords.includes(first)
  const [name] = asksHelp ? rest.filter((word) => !word.startsWith('-')) : words
  const writeLines = (lines: readonly string[]) =>
    writeOutcome({ json: false }, world, { json: null, lines: () => lines })
  if (name === undefined) return writeLines((await import('./help.ts')).overview(world))
  if (name === '--version' || name === '-v')
    return writeLines([(await import('./version.ts')).packageVersion()])
  if (!isCommandName(name)) throw new UsageError(await unknownCommand(name, world))
  const own = ownWords(rest)
  if (asksHelp || own.includes('--help') || own.includes('-h'))
    return writeLines((await import('./help.ts')).commandHelp(name, commandForms[name], world))
  const { parseArguments } = await import('./parse-arguments.ts')
  const args = parseArguments(name, commandForms[name], rest, world)
  const run = await loaders[name]()
  return writeOutcome(args, world, await run(args, world))
}

/** Words after `--` are for another program. */
function ownWords(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--')
  return end === -1 ? words : words.slice(0, end)
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
  return `unknown command "${name}"; ${hint}`
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
  serve: async () => (await import('./commands/serve.ts')).serve,
  gateway: async () => (await import('./commands/gateway.ts')).gateway,
  run: async () => (await import('./commands/run.ts')).run,
  mcp: async () => (await import('./commands/mcp.ts')).mcp,
  move: async () => (await import('./commands/move.ts')).move,
  worker: async () => (await import('./commands/worker.ts')).worker,
  backup: async () => (await import('./commands/backup.ts')).backup,
  restore: async () => (await import('./commands/backup.ts')).restore,
  tour: async () => (await import('./commands/tour.ts')).tour,
}
