/** The files that settings stand in: one of the user, one of the project. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { ThroughlineError } from '../../errors.ts'
import type { World } from '../world.ts'
import { isSettingName, settingFields, settingNames } from './setting-fields.ts'

export type SettingFileKind = 'user' | 'project'

/** What a file says, field by field; each was checked. */
export type FileSettings = Readonly<Record<string, unknown>>

export function userFile({ env, home }: World): string {
  return join(folderOf(env['XDG_CONFIG_HOME'], join(home, '.config')), 'throughline', 'config.json')
}

/** Where conversations live unless something else is said. */
export function defaultStore({ env, home }: World): string {
  const data = folderOf(env['XDG_DATA_HOME'], join(home, '.local', 'share'))
  return join(data, 'throughline', 'throughline.db')
}

/** The nearest `throughline.json` upward; null where there is none. */
export function projectFile({ cwd }: World): string | null {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const file = join(folder, projectFileName)
    if (existsSync(file)) return file
    if (folder === dirname(folder)) return null
  }
}

export const projectFileName = 'throughline.json'

/** As it stands there. */
export function writtenSettings(file: string, kind: SettingFileKind): FileSettings {
  const found = parsed(file)
  for (const [name, value] of Object.entries(found)) checkSetting(name, value, { file, kind })
  return found
}

export function readSettingFile(file: string, kind: SettingFileKind): FileSettings {
  const found = writtenSettings(file, kind)
  const { store } = found
  // Of a file, a path is meant from where the file is.
  return typeof store === 'string' ? { ...found, store: resolve(dirname(file), store) } : found
}

export function checkSetting(
  name: string,
  value: unknown,
  { file, kind }: { readonly file: string; readonly kind: SettingFileKind },
): void {
  if (!isSettingName(name))
    throw invalid(file, `there is no setting "${name}"; there are ${settingNames.join(', ')}`)
  if (kind === 'project' && !settingFields[name].project)
    throw invalid(
      file,
      `"${name}" says where your keys are sent, so it belongs in your own file and not in that of a project`,
    )
  const wrong = settingFields[name].wrong(value)
  if (wrong !== null) throw invalid(file, `"${name}" ${wrong}`)
}

function parsed(file: string): FileSettings {
  let found: unknown
  try {
    if (!existsSync(file)) return {}
    found = JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw invalid(file, cause instanceof SyntaxError ? 'is no JSON' : 'cannot be read', cause)
  }
  if (typeof found !== 'object' || found === null || Array.isArray(found))
    throw invalid(file, 'must hold an object')
  return found as FileSettings
}

/** A path that is not whole is none, by the rules of those variables. */
function folderOf(named: string | undefined, fallback: string): string {
  return named !== undefined && isAbsolute(named) ? named : fallback
}

function invalid(file: string, why: string, cause?: unknown): ThroughlineError {
  return new ThroughlineError('CONFIG_INVALID', `${file}: ${why}`, { cause })
}
