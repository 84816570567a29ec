/** The settings that hold, where each comes from, and how they are changed. */
import { join } from 'node:path'
import type { Arguments, Command } from '../command.ts'
import { done, type Ending, WrongUsage } from '../ending.ts'
import { paintOf } from '../screen/paint.ts'
import { drawTable } from '../screen/table.ts'
import { tell } from '../screen/tell.ts'
import { readSettings, type SettingSource } from '../settings/read-settings.ts'
import {
  isSettingName,
  type SettingName,
  settingFields,
  settingNames,
} from '../settings/setting-fields.ts'
import {
  checkSetting,
  projectFile,
  projectFileName,
  type SettingFileKind,
  userFile,
} from '../settings/setting-files.ts'
import { writeSetting } from '../settings/write-settings.ts'
import type { World } from '../world.ts'

export const config: Command = {
  name: 'config',
  summary: 'the settings, where each comes from, and how to change them',
  usage: [
    'config',
    'config get KEY',
    'config set KEY VALUE [--project]',
    'config unset KEY [--project]',
    'config path [--project]',
  ],
  about: [
    "What is built in gives way to your own file, that to the project's (throughline.json, the nearest upward), that to the environment (THROUGHLINE_STORE, THROUGHLINE_MODEL and so on), and that to flags. Keys of providers are only ever read from the environment.",
  ],
  options: { project: { says: 'the file of the project instead of your own' } },
  settings: [...settingNames],
  examples: [
    { command: 'config', shows: 'every setting and where it comes from' },
    { command: 'config set model anthropic/claude-sonnet-4-5', shows: 'the model of all commands' },
    { command: 'config set compaction off --project', shows: 'for everybody in this project' },
    { command: 'config unset compaction --project', shows: 'and back' },
  ],
  run: async (args, world) => {
    const [verb, ...words] = args.positionals
    switch (verb) {
      case undefined:
        return showAll(args, world)
      case 'get':
        return showOne(nameIn(words), args, world)
      case 'set':
        return change(args, world, { name: nameIn(words), text: textIn(words) })
      case 'unset':
        return change(args, world, { name: nameIn(words), text: null })
      case 'path':
        return showPath(args, world)
    }
    throw new WrongUsage(`config takes get, set, unset or path, not "${verb}"`)
  },
}

function nameIn([name]: readonly string[]): SettingName {
  if (name !== undefined && isSettingName(name)) return name
  const which = name === undefined ? 'name a setting' : `there is no setting "${name}"`
  throw new WrongUsage(`${which}; there are ${settingNames.join(', ')}`)
}

function textIn([name, text, extra]: readonly string[]): string {
  if (text === undefined) throw new WrongUsage(`config set ${name} takes a value`)
  if (extra !== undefined) throw new WrongUsage(`a value with spaces stands in quotes`)
  return text
}

async function showAll(args: Arguments, world: World): Promise<Ending> {
  const { values, sources } = readSettings(args, world)
  await tell(args, world, {
    json: Object.fromEntries(
      settingNames.map((name) => [name, { value: values[name], ...sources[name] }]),
    ),
    lines: () => {
      const { bold, dim } = paintOf(world.stdout)
      const rows = settingNames.map((name) => [
        name,
        written(values[name]),
        cameFrom(sources[name]),
      ])
      const columns = [
        { title: 'setting', paint: bold },
        { title: 'value', shrinks: true },
        { title: 'from', paint: dim, narrow: 'shrinks' },
      ] as const
      return drawTable(columns, rows, world.stdout)
    },
  })
  return done
}

async function showOne(name: SettingName, args: Arguments, world: World): Promise<Ending> {
  const { values, sources } = readSettings(args, world)
  await tell(args, world, {
    json: { name, value: values[name], ...sources[name] },
    lines: () => [written(values[name])],
  })
  return done
}

async function change(
  args: Arguments,
  world: World,
  { name, text }: { readonly name: SettingName; readonly text: string | null },
): Promise<Ending> {
  const [kind, file] = fileOf(args, world)
  const value = text === null ? undefined : settingFields[name].read(text)
  if (value !== undefined) {
    checkSetting(name, value, { file, kind })
    await tryInEngine(name, value)
  }
  writeSetting(file, kind, { name, value })
  await tell(args, world, {
    json: { name, value: value ?? null, file },
    lines: () => [
      value === undefined
        ? `${name} is unset in ${file}`
        : `${name} = ${written(value)} in ${file}`,
    ],
  })
  return done
}

/** What the engine would refuse from the next command on is refused here. */
async function tryInEngine(name: SettingName, value: unknown): Promise<void> {
  if (name !== 'policy' && name !== 'models') return
  const { tryEngine } = await import('../open-engine.ts')
  // Its shape was checked; the other of the two may come from anywhere, and is left out.
  const alone = { policy: 'balanced', models: {}, [name]: value }
  await tryEngine(alone as Parameters<typeof tryEngine>[0])
}

async function showPath(args: Arguments, world: World): Promise<Ending> {
  const [, file] = fileOf(args, world)
  await tell(args, world, { json: { file }, lines: () => [file] })
  return done
}

function fileOf(args: Arguments, world: World): readonly [SettingFileKind, string] {
  if (!args.has('project')) return ['user', userFile(world)]
  return ['project', projectFile(world) ?? join(world.cwd, projectFileName)]
}

function written(value: unknown): string {
  if (value === null) return 'none'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function cameFrom({ kind, where }: SettingSource): string {
  return where ?? (kind === 'built-in' ? 'built in' : kind)
}
