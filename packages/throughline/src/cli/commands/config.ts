/** Shows and changes the settings. */
import { basename, join, resolve } from 'node:path'
import { type Arguments, type Run, typedCommand } from '../command.ts'
import { failWith, type Outcome, type Reply, UsageError } from '../exit-result.ts'
import { safeLine, shellWord } from '../screen/safe-text.ts'
import { styleOf } from '../screen/style.ts'
import { drawTable } from '../screen/table.ts'
import { readSettings, type SettingSource } from '../settings/read-settings.ts'
import {
  isSettingName,
  type SettingName,
  settingFields,
  settingNames,
} from '../settings/setting-fields.ts'
import {
  checkSetting,
  isTrusted,
  parseSettings,
  projectFile,
  projectFileName,
  readOwned,
  type SettingFile,
  trustFile,
  userFile,
  writeSetting,
} from '../settings/setting-files.ts'
import type { World } from '../world.ts'

export const config: Run = async (args, world) => {
  const [verb, ...words] = args.positionals
  switch (verb) {
    case undefined:
      return showAll(args, world)
    case 'get':
      return showOne(nameIn(words), args, world)
    case 'set':
      return change(nameIn(words), textIn(words), fileOf(args, world), world)
    case 'unset':
      return change(nameIn(words), null, fileOf(args, world), world)
    case 'path': {
      const { file } = fileOf(args, world)
      return { json: { file }, lines: () => [file] }
    }
    case 'trust':
      return trust(projectFileIn(words, world), world)
    case 'untrust':
      return untrust(projectFileIn(words, world), world)
  }
  throw new UsageError(`unknown subcommand "${verb}"; use get, set, unset, path, trust or untrust`)
}

function nameIn([name]: readonly string[]): SettingName {
  if (name !== undefined && isSettingName(name)) return name
  const which = name === undefined ? 'name a setting' : `unknown setting "${name}"`
  throw new UsageError(`${which}; the settings are ${settingNames.join(', ')}`)
}

function textIn([name, text, extra]: readonly string[]): string {
  if (text === undefined) throw new UsageError(`config set ${name} needs a value`)
  if (extra !== undefined) throw new UsageError('put a value with spaces in quotes')
  return text
}

function showAll(args: Arguments, world: World): Reply {
  const { values, sources } = readSettings(args, world)
  const { bold, dim } = styleOf(world.stdout)
  const all = settingNames.map((name) => [name, { value: values[name], ...sources[name] }] as const)
  const columns = [
    { title: 'setting', paint: bold },
    { title: 'value', shrinks: true },
    { title: 'from', paint: dim, narrow: 'shrinks' },
  ] as const
  const rows = all.map(([name, { value, ...from }]) => [name, safeValue(value), sourceText(from)])
  return { json: Object.fromEntries(all), lines: () => drawTable(columns, rows, world.stdout) }
}

function showOne(name: SettingName, args: Arguments, world: World): Reply {
  const { values, sources } = readSettings(args, world)
  return {
    json: { name, value: values[name], ...sources[name] },
    // A pipe gets the exact value.
    lines: () => [world.stdout.isTerminal ? safeValue(values[name]) : valueText(values[name])],
  }
}

async function change(name: SettingName, typed: string | null, at: SettingFile, world: World) {
  const { file, kind } = at
  const value = typed === null ? undefined : settingFields[name].read(typed)
  if (value !== undefined) {
    checkSetting(name, value, at)
    await tryInEngine(name, value)
  }
  if (kind === 'project' && !isUsed(file, world)) {
    const how = typedCommand(`config trust ${shellWord(file)}`, world)
    return failWith('REFUSED', `${file} is not trusted; read it, then run ${how}`)
  }
  const text = writeSetting(at, { name, value }, world)
  if (kind === 'project') trustFile(file, text, world)
  const what = value === undefined ? `${name} is unset` : `${name} = ${safeValue(value)}`
  const json = { name, value: value ?? null, file }
  return { json, lines: () => [`${what} in ${safeLine(file)}`] }
}

/** Rejects a value that would make every later command fail. */
async function tryInEngine(name: string, value: unknown): Promise<void> {
  if (name !== 'policy' && name !== 'models') return
  const { tryEngine } = await import('../open-engine.ts')
  // Its shape is already checked; the other of the two settings stays at its default.
  const alone = { policy: 'balanced', models: {}, [name]: value }
  await tryEngine(alone as Parameters<typeof tryEngine>[0])
}

/** A project file that does not exist yet counts as the user's own. */
function isUsed(file: string, world: World): boolean {
  const found = readOwned(file, world)
  return found === null || (found.text !== null && isTrusted(file, found.text, world))
}

function projectFileIn([file, extra]: readonly string[], world: World): string {
  if (extra !== undefined) throw new UsageError('name one file; put a name with spaces in quotes')
  const found = file === undefined ? projectFile(world) : resolve(world.cwd, file)
  if (found !== null && basename(found) !== projectFileName)
    throw new UsageError(`a project file is named "${projectFileName}"`)
  return found ?? join(world.cwd, projectFileName)
}

/** The owner of the file does not matter: trust covers only this text. */
async function trust(file: string, world: World): Promise<Outcome> {
  const found = readOwned(file, world)
  if (found === null) return failWith('NOT_FOUND', `no such file: ${file}`)
  if (found.text === null) return failWith('REFUSED', `${file}: ${found.foreign}`)
  const settings = parseSettings(found.text, { file, kind: 'project' })
  for (const [name, value] of Object.entries(settings)) await tryInEngine(name, value)
  trustFile(file, found.text, world)
  return {
    json: { file, trusted: true, settings },
    lines: () => [
      `Trusted until it changes: ${safeLine(file)}`,
      ...Object.entries(settings).map(([name, value]) => `  ${name} = ${safeValue(value)}`),
    ],
  }
}

function untrust(file: string, world: World): Reply {
  trustFile(file, null, world)
  const lines = () => [`No longer trusted: ${safeLine(file)}`]
  return { json: { file, trusted: false }, lines }
}

function fileOf(args: Arguments, world: World): SettingFile {
  return args.has('project')
    ? { kind: 'project', file: projectFileIn([], world) }
    : { kind: 'user', file: userFile(world) }
}

function valueText(value: unknown): string {
  if (value === null) return 'none'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** A file may contain control sequences. */
function safeValue(value: unknown): string {
  return safeLine(valueText(value))
}

function sourceText({ kind, where }: SettingSource): string {
  return safeLine(where ?? (kind === 'built-in' ? 'default' : kind))
}
