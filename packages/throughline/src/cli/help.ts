/** The overview that `throughline` prints without arguments, and the help of each command. */
import { type CommandForm, type CommandOption, typedCommand } from './command.ts'
import { commandForms, firstMinutes } from './commands-data.ts'
import { generalOptions } from './parse-arguments.ts'
import { wrap } from './screen/cells.ts'
import { labelled } from './screen/labelled.ts'
import { styleOf } from './screen/style.ts'
import type { World } from './world.ts'

/** The first line of `throughline` without arguments. */
const aboutThroughline =
  "Throughline keeps a conversation of any length inside any model's context window. Compaction deletes nothing; recall finds every message."

export function overview(world: World): readonly string[] {
  const { stdout } = world
  const { bold, cyan } = styleOf(stdout)
  const typed = (words: string) => typedCommand(words, world)
  const steps = firstMinutes.map(([words, shows]) => [typed(words), shows] as const)
  const summaries = Object.entries(commandForms).map(([name, form]) => ({ name, ...form }))
  const section = (title: string, commands: typeof summaries) => {
    const rows = commands.map(({ name, summary }) => [name, summary] as const)
    return ['', bold(title), ...labelled(rows, stdout, { paint: cyan, labelColumns: 10 })]
  }
  return [
    ...wrap(aboutThroughline, stdout.width),
    '',
    bold('The first two minutes'),
    ...labelled(steps, stdout, { paint: cyan }),
    ...[...Map.groupBy(summaries, ({ group }) => group)].flatMap((group) => section(...group)),
    '',
    ...wrap(`${typed('COMMAND --help')} shows options and examples.`, stdout.width),
    ...wrap(`All commands accept --json. ${typed('config')} shows the settings.`, stdout.width),
  ]
}

export function commandHelp(name: string, command: CommandForm, world: World): readonly string[] {
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
  return [
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
}

function optionText([name, { short, value }]: readonly [string, CommandOption]): string {
  const long = value === undefined ? `--${name}` : `--${name} ${value}`
  return short === undefined ? `    ${long}` : `-${short}, ${long}`
}
