/**
 * The settings in force: built in, then the user's file, then the project's if the user has trusted it,
 * then the environment, then flags. Each knows where it comes from.
 */
import { resolve } from 'node:path'
import { defaults } from '../../defaults.ts'
import { ThroughlineError } from '../../errors.ts'
import type { Arguments } from '../command.ts'
import { WrongUsage } from '../ending.ts'
import type { World } from '../world.ts'
import { projectSettings } from './project-files.ts'
import {
  type CliSettings,
  type SettingName,
  settingFields,
  settingNames,
} from './setting-fields.ts'
import {
  defaultStore,
  type FileSettings,
  parseSettings,
  readOwned,
  userFile,
  withWholePaths,
} from './setting-files.ts'

export interface SettingSource {
  readonly kind: 'built-in' | 'user' | 'project' | 'environment' | 'flag'
  /** The file, the variable or the flag. */
  readonly where: string | null
}

export interface FoundSettings {
  readonly values: CliSettings
  readonly sources: Readonly<Record<SettingName, SettingSource>>
}

interface Layer {
  readonly source: (name: SettingName) => SettingSource
  readonly values: Readonly<Record<string, unknown>>
}

export function readSettings(args: Pick<Arguments, 'text'>, world: World): FoundSettings {
  const layers = [
    builtIn(world),
    userLayer(world),
    projectLayer(world),
    environment(world),
    flags(args, world),
  ]
  const found = settingNames.map((name) => {
    const layer = layers.findLast(({ values }) => values[name] !== undefined)
    return [name, { value: layer?.values[name], source: layer?.source(name) }] as const
  })
  return {
    // Every layer was checked, and the first has them all.
    values: Object.freeze(
      Object.fromEntries(found.map(([name, { value }]) => [name, value])),
    ) as unknown as CliSettings,
    sources: Object.fromEntries(
      found.map(([name, { source }]) => [name, source]),
    ) as FoundSettings['sources'],
  }
}

function builtIn(world: World): Layer {
  const values: CliSettings = {
    store: defaultStore(world),
    tenant: defaults.tenant.value,
    model: 'openai/gpt-5-mini',
    summarizer: null,
    policy: defaults.policy.value,
    compaction: defaults.compaction.value,
    tokenizer: defaults.tokenizer.value,
    baseUrl: null,
    models: {},
    providers: {},
  }
  return { values: { ...values }, source: () => ({ kind: 'built-in', where: null }) }
}

function userLayer(world: World): Layer {
  const file = userFile(world)
  return { values: userSettings(file, world), source: () => ({ kind: 'user', where: file }) }
}

function userSettings(file: string, world: World): FileSettings {
  const found = readOwned(file, world)
  if (found === null) return {}
  if (found.foreign === null)
    return withWholePaths(parseSettings(found.text ?? '', { file, kind: 'user' }), file)
  const message = `${file} is ignored, because ${found.foreign}`
  world.notice({ code: 'SETTINGS_IGNORED', message, file })
  return {}
}

function projectLayer(world: World): Layer {
  const found = projectSettings(world)
  return {
    values: found?.values ?? {},
    source: () => ({ kind: 'project', where: found?.file ?? null }),
  }
}

function environment({ env, cwd }: World): Layer {
  const values: Record<string, unknown> = {}
  for (const name of settingNames) {
    const variable = settingFields[name].env
    const text = variable === null ? undefined : env[variable]
    if (variable === null || text === undefined || text === '') continue
    const read = readText(name, text, cwd)
    if ('wrong' in read)
      throw new ThroughlineError('CONFIG_INVALID', `${variable}: ${name} ${read.wrong}`)
    values[name] = read.value
  }
  return {
    values,
    source: (name) => ({ kind: 'environment', where: settingFields[name].env }),
  }
}

function flags(args: Pick<Arguments, 'text'>, { cwd }: World): Layer {
  const values: Record<string, unknown> = {}
  for (const name of settingNames) {
    const { flag } = settingFields[name]
    const text = args.text(flag)
    if (text === null) continue
    const read = readText(name, text, cwd)
    if ('wrong' in read) throw new WrongUsage(`--${flag} ${read.wrong}`)
    values[name] = read.value
  }
  return { values, source: (name) => ({ kind: 'flag', where: `--${settingFields[name].flag}` }) }
}

function readText(
  name: SettingName,
  text: string,
  cwd: string,
): { readonly value: unknown } | { readonly wrong: string } {
  const value = settingFields[name].read(text)
  const wrong = settingFields[name].wrong(value)
  if (wrong !== null) return { wrong }
  return { value: name === 'store' ? resolve(cwd, text) : value }
}
