/** What `throughline` alone says: what it is, the way of the first minutes, and the commands. */

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Command, type CommandOption, typedCommand } from './command.ts'
import { commandGroups, findCommand } from './command-table.ts'
import { done, type Ending } from './ending.ts'
import { commonOptions, optionsOf } from './parse-arguments.ts'
import { padEnd, wrap } from './screen/cells.ts'
import { labelled } from './screen/labelled.ts'
import { styleOf } from './screen/style.ts'
import { settingFields } from './settings/setting-fields.ts'
import type { Output, World } from './world.ts'

export async function overview(world: World): Promise<Ending> {
  const { stdout } = world
  const { bold, cyan } = styleOf(stdout)
  const lines = [
    ...wrap(what, stdout.width),
    '',
    bold('The first two minutes'),
    ...labelled(
      firstMinutes
        .filter(([name]) => findCommand(name) !== null)
        .map(([, words, shows]) => [typedCommand(words, world), shows]),
      stdout,
      { paint: cyan },
    ),
    ...commandGroups.flatMap(({ title, commands }) => [
      '',
      bold(title),
      ...labelled(
        Object.entries(commands).map(([name, { summary }]) => [name, summary]),
        stdout,
        { paint: cyan, labelColumns: 10 },
      ),
    ]),
    '',
    ...wrap(
      `${typedCommand('COMMAND --help', world)} tells more of each, with examples.`,
      stdout.width,
    ),
    ...wrap(
      `Every command takes --json. Settings: ${typedCommand('config', world)}.`,
      stdout.width,
    ),
  ]
  await stdout.write(`${lines.join('\n')}\n`)
  return done
}

const what =
  "Throughline keeps a conversation of any length inside any model's context window; nothing is deleted, and everything is one recall away."

/** Each with the command that it needs: some are brought by other parts of the package. */
const firstMinutes: readonly (readonly [name: string, words: string, shows: string])[] = [
  ['import', 'import session.jsonl', 'bring a conversation of another tool'],
  ['list', 'list', 'see what is there'],
  ['replay', 'replay --last --window 32000', 'watch it stay inside a window'],
  ['context', 'context --last --window 8000', 'what a small model would be shown'],
  ['compact', 'compact --last --preview', 'what a compaction would do'],
  ['recall', 'recall --last which port', 'find what was said on something'],
  ['receipt', 'receipt --last', 'what the last compaction did'],
]

/** The help of a command: what it takes, and examples that work. */
export async function commandHelp(name: string, command: Command, world: World): Promise<Ending> {
  await world.stdout.write(`${helpLines(name, command, world).join('\n')}\n`)
  return done
}

function helpLines(name: string, command: Command, world: World): readonly string[] {
  const { stdout: output } = world
  const { bold, cyan, dim } = styleOf(output)
  const flags = command.settings.map((name) => settingFields[name].flag)
  const all = Object.entries(optionsOf(command))
  const own = all.filter(([name]) => !flags.includes(name) && !Object.hasOwn(commonOptions, name))
  const general = all.filter(([name]) => flags.includes(name) || Object.hasOwn(commonOptions, name))
  const column = Math.max(...all.map((option) => optionText(option).length))
  return [
    `${bold(`throughline ${name}`)}: ${findCommand(name)?.summary}`,
    '',
    ...command.usage.map((usage) => `  ${typedCommand(usage, world)}`),
    ...(command.about ?? []).flatMap((paragraph) => ['', ...wrap(paragraph, output.width)]),
    '',
    bold('Examples'),
    ...command.examples.flatMap(([words, shows]) => [
      `  ${cyan(typedCommand(words, world))}`,
      `      ${dim(shows)}`,
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

/** The version of the package. */
export function packageVersion(): string {
  const text = readFileSync(join(packageFolder(), 'package.json'), 'utf8')
  // Our own file: its version is a text.
  return (JSON.parse(text) as { readonly version: string }).version
}

export async function version({ stdout }: World): Promise<Ending> {
  await stdout.write(`${packageVersion()}\n`)
  return done
}

/** Where this package is: built, its files are elsewhere than they are written. */
export function packageFolder(): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return folder
}
