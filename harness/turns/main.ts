/** npm run test:turns -- sessions | kills [options]; each names its own. */
import { killsCommand } from './kills-command.ts'
import { sessionsCommand } from './sessions-command.ts'

/** By name; each answers how much it has found. */
const commands: Readonly<Record<string, (options: readonly string[]) => Promise<number>>> = {
  sessions: sessionsCommand,
  kills: killsCommand,
}

const [name = '', ...options] = process.argv.slice(2)
const command = Object.hasOwn(commands, name) ? commands[name] : undefined
if (command === undefined) {
  console.error(`npm run test:turns -- ${Object.keys(commands).join(' | ')} [options]`)
  process.exitCode = 64
} else process.exitCode = (await command(options)) === 0 ? 0 : 1
