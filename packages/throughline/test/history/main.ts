/** npm run test:history -- <command> [options]; each command names its own. */
import { pinsCommand } from './pins-command.ts'

/** By name; each answers how much it has found. */
const commands: Readonly<Record<string, (options: readonly string[]) => Promise<number>>> = {
  pins: pinsCommand,
}

const [name = '', ...options] = process.argv.slice(2)
const command = Object.hasOwn(commands, name) ? commands[name] : undefined
if (command === undefined) {
  console.error(`npm run test:history -- ${Object.keys(commands).join(' | ')} [options]`)
  process.exitCode = 64
} else process.exitCode = (await command(options)) === 0 ? 0 : 1
