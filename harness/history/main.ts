/** npm run test:history -- edits | pins | purge | queries | undo [options]; each names its own. */
import { editsCommand } from './edits-command.ts'
import { pinsCommand } from './pins-command.ts'
import { purgeCommand } from './purge-command.ts'
import { queriesCommand } from './queries-command.ts'
import { undoCommand } from './undo-command.ts'

/** By name; each answers how much it has found. */
const commands: Readonly<Record<string, (options: readonly string[]) => Promise<number>>> = {
  edits: editsCommand,
  pins: pinsCommand,
  purge: purgeCommand,
  queries: queriesCommand,
  undo: undoCommand,
}

const [name = '', ...options] = process.argv.slice(2)
const command = Object.hasOwn(commands, name) ? commands[name] : undefined
if (command === undefined) {
  console.error(`npm run test:history -- ${Object.keys(commands).join(' | ')} [options]`)
  process.exitCode = 64
} else process.exitCode = (await command(options)) === 0 ? 0 : 1
