/** Reads, checks, trusts and writes the settings files of the user and the project. */
import { createHash } from 'node:crypto'
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, isAbsolute, join, parse, resolve } from 'node:path'
import { ThroughlineError } from '../../errors.ts'
import { settingProblem } from '../../toolkit/index.ts'
import { typedCommand } from '../command.ts'
import { foreignFile, foreignStats, makeFolder } from '../ownership.ts'
import type { World } from '../world.ts'
import { isSettingName, settingFields } from './setting-fields.ts'

export type FileSettings = Readonly<Record<string, unknown>>

export interface SettingFile {
  readonly file: string
  readonly kind: 'user' | 'project'
}

export function userFile(world: World): string {
  return join(configFolder(world), 'config.json')
}

function configFolder({ env, home }: World): string {
  return join(folderOf(env['XDG_CONFIG_HOME'], join(home, '.config')), 'throughline')
}

export function defaultStore({ env, home }: World): string {
  const data = folderOf(env['XDG_DATA_HOME'], join(home, '.local', 'share'))
  return join(data, 'throughline', 'throughline.db')
}

/** XDG variables with a relative path are ignored, by their specification. */
function folderOf(named: string | undefined, fallback: string): string {
  return named !== undefined && isAbsolute(named) ? named : fallback
}

/**
 * Reads the text and checks the owner of the same open file, so that it cannot be exchanged between the
 * two. Null if there is no file. `foreign`: why the file is not used; set if there is no text.
 */
export function readOwned(path: string, { user }: Pick<World, 'user'>) {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return null
  const refused = (foreign: string) => ({ text: null, foreign })
  let file: number
  try {
    // Without O_NONBLOCK a pipe would block.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : cause
    return refused(foreignFile(path, user) ?? `it cannot be read (${String(code)})`)
  }
  try {
    const found = fstatSync(file)
    if (!found.isFile()) return refused('it is not a regular file')
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

/** A relative path is relative to the folder of the file. */
export function wholeSettings(text: string, at: SettingFile): FileSettings {
  const { store, ...rest } = parseSettings(text, at)
  return typeof store === 'string' ? { ...rest, store: resolve(dirname(at.file), store) } : rest
}

export function checkSetting(name: string, value: unknown, { file, kind }: SettingFile): void {
  const isOwn = isSettingName(name) && !settingFields[name].project
  const misplaced = `"${name}" decides where your API keys are sent, so only your own file may set it, not a project file`
  if (kind === 'project' && isOwn) throw invalid(file, misplaced)
  const wrong = settingProblem(name, value)
  if (wrong !== null) throw invalid(file, wrong)
}

function parseObject(text: string, file: string): Readonly<Record<string, unknown>> {
  let found: unknown
  try {
    found = JSON.parse(text)
  } catch (cause) {
    throw invalid(file, 'not valid JSON', cause)
  }
  if (typeof found !== 'object' || found === null || Array.isArray(found))
    throw invalid(file, 'must contain a JSON object')
  return found as Readonly<Record<string, unknown>>
}

/** Changes one field, or removes it with `undefined`, and returns the new text. */
export function writeSetting(
  at: SettingFile,
  { name, value }: { readonly name: string; readonly value: unknown },
  world: World,
): string {
  return writeJson(at, { ...parseSettings(ownText(at.file, world), at), [name]: value })
}

/** Rejects a file that is not used; an empty object if none exists. */
function ownText(file: string, world: World): string {
  const found = readOwned(file, world)
  if (found !== null && found.foreign !== null)
    throw invalid(file, `not used, because ${found.foreign}`)
  return found?.text ?? '{}'
}

function writeJson({ file, kind }: SettingFile, values: FileSettings): string {
  const text = `${JSON.stringify(values, null, 2)}\n`
  makeFolder(dirname(file), kind === 'user' ? { mode: 0o700 } : {})
  // Readers get the old file or the new one, never half of it.
  const fresh = `${file}.${process.pid}.new`
  // A crash may have left one of that name, or another user put a link there.
  rmSync(fresh, { force: true })
  writeFileSync(fresh, text, { flag: 'wx', mode: kind === 'user' ? 0o600 : 0o644 })
  renameSync(fresh, file)
  return text
}

function invalid(file: string, why: string, cause?: unknown): ThroughlineError {
  return new ThroughlineError('CONFIG_INVALID', `${file}: ${why}`, { cause })
}

/**
 * The project file: `throughline.json`, in the working folder or above it up to the root of the project,
 * never in a shared folder above. It is used once trusted, because someone else wrote a cloned
 * repository. Trust covers a real path and a hash of the text: a changed file must be trusted again.
 */
export const projectFileName = 'throughline.json'
const repositories = ['.git', '.hg', '.jj', '.svn']
const manifests = ['package.json', 'deno.json', 'pyproject.toml', 'Cargo.toml', 'go.mod']

export function projectFile(world: World): string | null {
  return candidates(world).find((file) => existsSync(file)) ?? null
}

/** The nearest trusted file; prints a notice for each file that is ignored. */
export function projectSettings(world: World) {
  for (const file of candidates(world)) {
    const found = readOwned(file, world)
    if (found === null) continue
    if (found.text !== null && isTrusted(file, found.text, world))
      return { file, values: wholeSettings(found.text, { file, kind: 'project' }) }
    const untrusted = `it is not trusted, or changed since; read it, then run ${typedCommand('config trust', world)}`
    noticeIgnored(file, found.foreign ?? untrusted, world)
  }
  return null
}

export function noticeIgnored(file: string, why: string, world: World): void {
  const message = `ignoring ${file}: ${why}`
  world.notice({ code: 'SETTINGS_IGNORED', message, file })
}

function candidates(world: World): readonly string[] {
  return projectFolders(world).map((folder) => join(folder, projectFileName))
}

/** The working folder and those above, up to the repository, else the nearest manifest, else home. */
function projectFolders({ cwd, home }: World): readonly string[] {
  const folders = upward(realPath(cwd))
  const end = folders.indexOf(realPath(home))
  // A process without a user has its home at the root, which contains everyone's files.
  const isInHome = end >= 0 && folders[end] !== parse(folders[end] ?? '').root
  const own = isInHome ? folders.slice(0, end + 1) : folders
  for (const marks of [repositories, manifests]) {
    const project = own.findIndex((folder) => marks.some((mark) => existsSync(join(folder, mark))))
    if (project >= 0) return own.slice(0, project + 1)
  }
  return isInHome ? own : own.slice(0, 1)
}

function upward(folder: string): readonly string[] {
  const above = dirname(folder)
  return above === folder ? [folder] : [folder, ...upward(above)]
}

export function isTrusted(file: string, text: string, world: World): boolean {
  const list = trustList(world)
  const found = readOwned(list, world)
  if (found === null) return false
  if (found.foreign === null)
    return parseObject(found.text ?? '{}', list)[realPath(file)] === hashOf(text)
  noticeIgnored(list, `${found.foreign}; no project file is trusted`, world)
  return false
}

/** With null, the file is no longer trusted. */
export function trustFile(file: string, text: string | null, world: World): void {
  const list = trustList(world)
  const before = parseObject(ownText(list, world), list)
  const hash = text === null ? undefined : hashOf(text)
  writeJson({ file: list, kind: 'user' }, { ...before, [realPath(file)]: hash })
}

function trustList(world: World): string {
  return join(configFolder(world), 'trusted.json')
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** The path itself for a file that is gone; the working folder and home may be links. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}
