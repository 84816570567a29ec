/** The help of a command: what it takes, and examples that work. */
import type { Command, CommandOption } from './command.ts'
import { done, type Ending } from './ending.ts'
import { commonOptions, optionsOf } from './parse-arguments.ts'
import { padEnd, wrap } from './screen/cells.ts'
import { paintOf } from './screen/paint.ts'
import { settingFields } from './settings/setting-fields.ts'
import { typedCommand } from './typed-command.ts'
import type { Output, World } from './world.ts'

export async function commandHelp(command: Command, world: World): Promise<Ending> {
  await world.stdout.write(`${linesOf(command, world).join('\n')}\n`)
  return done
}

function linesOf(command: Command, world: World): readonly string[] {
  const { stdout: output } = world
  const { bold, cyan, dim } = paintOf(output)
  const flags = command.settings.map((name) => settingFields[name].flag)
  const all = Object.entries(optionsOf(command))
  const own = all.filter(([name]) => !flags.includes(name) && !Object.hasOwn(commonOptions, name))
  const general = all.filter(([name]) => flags.includes(name) || Object.hasOwn(commonOptions, name))
  const column = Math.max(...all.map((option) => optionText(option).length))
  return [
    `${bold(`throughline ${command.name}`)}: ${command.summary}`,
    '',
    ...command.usage.map((usage) => `  ${typedCommand(usage, world)}`),
    ...(command.about ?? []).flatMap((paragraph) => ['', ...wrap(paragraph, output.width)]),
    '',
    bold('Examples'),
    ...command.examples.flatMap((example) => [
      `  ${cyan(typedCommand(example.command, world))}`,
      `      ${dim(example.shows)}`,
    ]),
    ...section(bold('Options'), own, column, output),
    ...section(bold('Settings and output'), general, column, output),
  ]
}

function section(
  title: string,
  options: readonly (readonly [string, CommandOption])[],
  column: number,
  output: Output,
): readonly string[] {
  if (options.length === 0) return []
  return [
    '',
    title,
    ...options.flatMap((option) => {
      const [first = '', ...rest] = wrap(option[1].says, Math.max(24, output.width - column - 4))
      return [
        `  ${padEnd(optionText(option), column)}  ${first}`,
        ...rest.map((line) => `  ${' '.repeat(column)}  ${line}`),
      ]
    }),
  ]
}

function optionText([name, { short, value }]: readonly [string, CommandOption]): string {
  const long = value === undefined ? `--${name}` : `--${name} ${value}`
  return short === undefined ? `    ${long}` : `-${short}, ${long}`
}
