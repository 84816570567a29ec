/** The files that settings are in: one of the user, one of the project, and how each is read and checked. */
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { ThroughlineError } from '../../errors.ts'
import { foreignFile, foreignStats } from '../ownership.ts'
import type { World } from '../world.ts'
import { isSettingName, settingFields, settingNames } from './setting-fields.ts'

export type SettingFileKind = 'user' | 'project'

/** The settings of a file, field by field; each was checked. */
export type FileSettings = Readonly<Record<string, unknown>>

export function userFile(world: World): string {
  return join(configFolder(world), 'config.json')
}

export function configFolder({ env, home }: World): string {
  return join(folderOf(env['XDG_CONFIG_HOME'], join(home, '.config')), 'throughline')
}

/** Where conversations are kept unless a setting says otherwise. */
export function defaultStore({ env, home }: World): string {
  const data = folderOf(env['XDG_DATA_HOME'], join(home, '.local', 'share'))
  return join(data, 'throughline', 'throughline.db')
}

export interface FileText {
  /** Null where it could not be read. */
  readonly text: string | null
  /** Why it is not taken: who else may have written it, or what it is instead of a file. */
  readonly foreign: string | null
}

/**
 * The text of a file and whether it is the user's own, of one and the same file: whoever could exchange it
 * between the two would have their text taken for the user's. Null where there is none.
 */
export function readOwned(path: string, { user }: Pick<World, 'user'>): FileText | null {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return null
  const refused = (foreign: string) => ({ text: null, foreign })
  let file: number
  try {
    // A pipe would be waited for.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch (cause) {
    return refused(foreignFile(path, user) ?? `it cannot be read (${codeOf(cause)})`)
  }
  try {
    const found = fstatSync(file)
    if (!found.isFile()) return refused('it is no file')
    if (found.size > largestFile) return refused('it is larger than a megabyte')
    const foreign = foreignFile(path, user) ?? foreignStats(found, user)
    return { text: readFileSync(file, 'utf8'), foreign }
  } finally {
    closeSync(file)
  }
}

const largestFile = 1_048_576

function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
}

/** As it was written, checked; a file that is not there has no settings, one that is not the user's own throws. */
export function ownSettings(file: string, kind: SettingFileKind, world: World): FileSettings {
  const found = readOwned(file, world)
  if (found === null) return {}
  if (found.foreign !== null || found.text === null)
    throw invalid(file, `is not used, because ${found.foreign}`)
  return parseSettings(found.text, { file, kind })
}

interface SettingFile {
  readonly file: string
  readonly kind: SettingFileKind
}

export function parseSettings(text: string, at: SettingFile): FileSettings {
  const found = parseObject(text, at.file)
  for (const [name, value] of Object.entries(found)) checkSetting(name, value, at)
  return found
}

/** In a file, a path is meant from the folder of the file. */
export function withWholePaths(settings: FileSettings, file: string): FileSettings {
  const { store } = settings
  return typeof store === 'string'
    ? { ...settings, store: resolve(dirname(file), store) }
    : settings
}

export function checkSetting(name: string, value: unknown, { file, kind }: SettingFile): void {
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

export function parseObject(text: string, file: string): Readonly<Record<string, unknown>> {
  let found: unknown
  try {
    found = JSON.parse(text)
  } catch (cause) {
    throw invalid(file, 'is no JSON', cause)
  }
  if (typeof found !== 'object' || found === null || Array.isArray(found))
    throw invalid(file, 'must hold an object')
  return found as Readonly<Record<string, unknown>>
}

/** A path that is not whole is none, by the rules of those variables. */
function folderOf(named: string | undefined, fallback: string): string {
  return named !== undefined && isAbsolute(named) ? named : fallback
}

function invalid(file: string, why: string, cause?: unknown): ThroughlineError {
  return new ThroughlineError('CONFIG_INVALID', `${file}: ${why}`, { cause })
}
