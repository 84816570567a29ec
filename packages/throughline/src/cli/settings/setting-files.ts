/** The files that settings are in: one of the user, one of the project; how each is read, checked and written. */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { ThroughlineError } from '../../errors.ts'
import { settingProblem } from '../../toolkit/index.ts'
import { foreignFile, foreignStats, makeFolder } from '../ownership.ts'
import type { World } from '../world.ts'
import { isSettingName, settingFields } from './setting-fields.ts'

/** The settings of a file, field by field; each was checked. */
export type FileSettings = Readonly<Record<string, unknown>>

export interface SettingFile {
  readonly file: string
  readonly kind: 'user' | 'project'
}

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

/** A path that is not whole is none, by the rules of those variables. */
function folderOf(named: string | undefined, fallback: string): string {
  return named !== undefined && isAbsolute(named) ? named : fallback
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
    const code = cause instanceof Error && 'code' in cause ? cause.code : cause
    return refused(foreignFile(path, user) ?? `it cannot be read (${String(code)})`)
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
  if (kind === 'project' && isSettingName(name) && !settingFields[name].project)
    throw invalid(
      file,
      `"${name}" says where your keys are sent, so it belongs in your own file and not in that of a project`,
    )
  const wrong = settingProblem(name, value)
  if (wrong !== null) throw invalid(file, wrong)
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

/** Changes one field of a file, `undefined` to remove it, and gives its new text. */
export function writeSetting(
  at: SettingFile,
  { name, value }: { readonly name: string; readonly value: unknown },
  world: World,
): string {
  const found = readOwned(at.file, world)
  if (found !== null && (found.foreign !== null || found.text === null))
    throw invalid(at.file, `is not used, because ${found.foreign}`)
  const before = found === null ? {} : parseSettings(found.text ?? '', at)
  return writeJson(at, { ...before, [name]: value })
}

export function writeJson({ file, kind }: SettingFile, values: FileSettings): string {
  const text = `${JSON.stringify(values, null, 2)}\n`
  makeFolder(dirname(file), kind === 'user' ? { mode: 0o700 } : {})
  // Whoever reads meanwhile has the old file or the new one, never half of it.
  const fresh = `${file}.${process.pid}.new`
  // One of that name may be what a crash has left, or a link that somebody has put there.
  rmSync(fresh, { force: true })
  writeFileSync(fresh, text, { flag: 'wx', mode: kind === 'user' ? 0o600 : 0o644 })
  renameSync(fresh, file)
  return text
}

function invalid(file: string, why: string, cause?: unknown): ThroughlineError {
  return new ThroughlineError('CONFIG_INVALID', `${file}: ${why}`, { cause })
}
