/**
 * Reads the settings. Later layers override earlier ones: defaults, user file, trusted project file,
 * environment, flags.
 */
import { resolve } from 'node:path'
import { defaults } from '../../defaults-data.ts'
import { ThroughlineError } from '../../errors.ts'
import { settingProblem } from '../../toolkit/index.ts'
import type { Arguments } from '../command.ts'
import { UsageError } from '../exit-result.ts'
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
  noticeIgnored,
  projectSettings,
  readOwned,
  userFile,
  wholeSettings,
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

export function readSettings(args: Pick<Arguments, 'text'>, world: World): FoundSettings {
  const { env, cwd } = world
  const values: Record<string, unknown> = {}
  const sources: Record<string, SettingSource> = {}
  const addLayer = (
    kind: SettingSource['kind'],
    layer: FileSettings,
    where: (field: SettingField) => string | null,
  ) => {
    for (const name of settingNames)
      if (layer[name] !== undefined) {
        values[name] = layer[name]
        sources[name] = { kind, where: where(settingFields[name]) }
      }
  }
  const project = projectSettings(world)
  addLayer('built-in', { ...builtIn, store: defaultStore(world) }, () => null)
  addLayer('user', userSettings(world), () => userFile(world))
  if (project !== null) addLayer('project', project.values, () => project.file)
  const variables = settingsFromText(
    (field) => (field.env === null ? null : env[field.env] || null),
    (field, wrong) => new ThroughlineError('CONFIG_INVALID', `${field.env}: ${wrong}`),
    cwd,
  )
  addLayer('environment', variables, (field) => field.env)
  const flags = settingsFromText(
    ({ flag }) => args.text(flag),
    ({ flag }, wrong) => new UsageError(`--${flag}: ${wrong}`),
    cwd,
  )
  addLayer('flag', flags, ({ flag }) => `--${flag}`)
  // The cast is safe: every layer was checked, and the built-in one has every setting.
  return { values: Object.freeze(values) as unknown, sources } as FoundSettings
}

const builtIn: Omit<CliSettings, 'store'> = {
  tenant: defaults.tenant,
  model: 'openai/gpt-5-mini',
  summarizer: null,
  policy: defaults.policy,
  compaction: defaults.compaction,
  tokenizer: defaults.tokenizer,
  baseUrl: null,
  models: {},
  providers: {},
}

function userSettings(world: World): FileSettings {
  const file = userFile(world)
  const found = readOwned(file, world)
  if (found === null) return {}
  if (found.foreign === null) return wholeSettings(found.text ?? '', { file, kind: 'user' })
  noticeIgnored(file, found.foreign, world)
  return {}
}

/** Parses the settings of environment variables or flags, which are text. */
function settingsFromText(
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
