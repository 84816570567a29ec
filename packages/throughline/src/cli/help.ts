/** What `throughline` alone says, and the help of a command: what it takes, and examples that work. */
import { type CommandForm, type CommandOption, typedCommand } from './command.ts'
import { aboutThroughline, commandForms, firstMinutes } from './commands-data.ts'
import { done, type Ending } from './ending.ts'
import { generalOptions } from './parse-arguments.ts'
import { wrap } from './screen/cells.ts'
import { labelled } from './screen/labelled.ts'
import { styleOf } from './screen/style.ts'
import type { World } from './world.ts'

/** What it is, the way of the first minutes, and the commands. */
export async function overview(world: World): Promise<Ending> {
  const { stdout } = world
  const { bold, cyan } = styleOf(stdout)
  const typed = (words: string) => typedCommand(words, world)
  const groups = Map.groupBy(Object.entries(commandForms), ([, { group }]) => group)
  const lines = [
    ...wrap(aboutThroughline, stdout.width),
    '',
    bold('The first two minutes'),
    ...labelled(
      firstMinutes.map(([words, shows]) => [typed(words), shows]),
      stdout,
      { paint: cyan },
    ),
    ...[...groups].flatMap(([title, commands]) => [
      '',
      bold(title),
      ...labelled(
        commands.map(([name, { summary }]) => [name, summary]),
        stdout,
        { paint: cyan, labelColumns: 10 },
      ),
    ]),
    '',
    ...wrap(`${typed('COMMAND --help')} tells more of each, with examples.`, stdout.width),
    ...wrap(`Every command takes --json. Settings: ${typed('config')}.`, stdout.width),
  ]
  await stdout.write(`${lines.join('\n')}\n`)
  return done
}

export async function commandHelp(
  name: string,
  command: CommandForm,
  world: World,
): Promise<Ending> {
  const { stdout } = world
  const { bold, cyan, dim } = styleOf(stdout)
  const rowsOf = (options: CommandForm['options']) =>
    Object.entries(options).map((option) => [optionText(option), option[1].says] as const)
  const [own, general] = [rowsOf(command.options), rowsOf(generalOptions(command))]
  const labelColumns = Math.max(...[...own, ...general].map(([text]) => text.length))
  const section = (title: string, rows: typeof own) =>
    rows.length === 0
      ? []
      : ['', bold(title), ...labelled(rows, stdout, { paint: (text) => text, labelColumns })]
  const lines = [
    `${bold(`throughline ${name}`)}: ${command.summary}`,
    '',
    ...command.usage.map((usage) => `  ${typedCommand(usage, world)}`),
    ...(command.about ?? []).flatMap((paragraph) => ['', ...wrap(paragraph, stdout.width)]),
    '',
    bold('Examples'),
    ...command.examples.flatMap(([words, shows]) => [
      `  ${cyan(typedCommand(words, world))}`,
      `      ${dim(shows)}`,
    ]),
    ...section('Options', own),
    ...section('Settings and output', general),
  ]
  await stdout.write(`${lines.join('\n')}\n`)
  return done
}

function optionText([name, { short, value }]: readonly [string, CommandOption]): string {
  const long = value === undefined ? `--${name}` : `--${name} ${value}`
  return short === undefined ? `    ${long}` : `-${short}, ${long}`
}
