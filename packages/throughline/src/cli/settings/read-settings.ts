/**
 * The settings in force: built in, then the user's file, then the project's if the user has trusted it,
 * then the environment, then flags. Each knows where it comes from.
 */
import { resolve } from 'node:path'
import { defaults } from '../../defaults-data.ts'
import { ThroughlineError } from '../../errors.ts'
import { settingProblem } from '../../toolkit/index.ts'
import type { Arguments } from '../command.ts'
import { WrongUsage } from '../ending.ts'
import type { World } from '../world.ts'
import {
  type CliSettings,
  type SettingField,
  type SettingName,
  settingFields,
  settingNames,
} from './setting-fields.ts'
import {
  defaultStore,
  type FileSettings,
  ignored,
  parseSettings,
  projectSettings,
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
  readonly kind: SettingSource['kind']
  readonly where: (field: SettingField) => string | null
  readonly values: FileSettings
}

export function readSettings(args: Pick<Arguments, 'text'>, world: World): FoundSettings {
  const { env, cwd } = world
  const project = projectSettings(world)
  const layers: readonly Layer[] = [
    { kind: 'built-in', where: () => null, values: { ...builtIn, store: defaultStore(world) } },
    { kind: 'user', where: () => userFile(world), values: userSettings(world) },
    { kind: 'project', where: () => project?.file ?? null, values: project?.values ?? {} },
    {
      kind: 'environment',
      where: (field) => field.env,
      values: typedSettings(
        (field) => (field.env === null ? null : env[field.env] || null),
        (field, wrong) => new ThroughlineError('CONFIG_INVALID', `${field.env}: ${wrong}`),
        cwd,
      ),
    },
    {
      kind: 'flag',
      where: (field) => `--${field.flag}`,
      values: typedSettings(
        (field) => args.text(field.flag),
        (field, wrong) => new WrongUsage(`--${field.flag}: ${wrong}`),
        cwd,
      ),
    },
  ]
  const found = settingNames.map((name) => {
    const layer = layers.findLast(({ values }) => values[name] !== undefined)
    const where = layer?.where(settingFields[name]) ?? null
    return { name, value: layer?.values[name], source: { kind: layer?.kind ?? 'built-in', where } }
  })
  return {
    // Every layer was checked, and the first has them all.
    values: Object.freeze(
      Object.fromEntries(found.map(({ name, value }) => [name, value])),
    ) as unknown as CliSettings,
    sources: Object.fromEntries(
      found.map(({ name, source }) => [name, source]),
    ) as FoundSettings['sources'],
  }
}

const builtIn: Omit<CliSettings, 'store'> = {
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

function userSettings(world: World): FileSettings {
  const file = userFile(world)
  const found = readOwned(file, world)
  if (found === null) return {}
  if (found.foreign === null)
    return withWholePaths(parseSettings(found.text ?? '', { file, kind: 'user' }), file)
  ignored(file, found.foreign, world)
  return {}
}

/** Settings that were typed as text, in variables or in flags. */
function typedSettings(
  textOf: (field: SettingField) => string | null,
  errorOf: (field: SettingField, wrong: string) => Error,
  cwd: string,
): FileSettings {
  const values: Record<string, unknown> = {}
  for (const name of settingNames) {
    const field = settingFields[name]
    const text = textOf(field)
    if (text === null) continue
    const value = field.read(text)
    const wrong = settingProblem(name, value)
    if (wrong !== null) throw errorOf(field, wrong)
    values[name] = name === 'store' ? resolve(cwd, text) : value
  }
  return values
}
