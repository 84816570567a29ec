/**
 * The settings of a project: `throughline.json`, in the working folder or above it up to the end of the
 * project. They count once the user has trusted them: a repository that was cloned belongs to the user and
 * was written by somebody else. What was trusted is listed beside the user's own settings, each file by its
 * real path and the hash of its text: one that changes, or is moved, has to be trusted again.
 *
 * Above the project is somebody else's place: a file in a shared folder would be a setting of everybody
 * who works below it.
 */
import { createHash } from 'node:crypto'
import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, parse, resolve } from 'node:path'
import { ThroughlineError } from '../../errors.ts'
import { typedCommand } from '../command.ts'
import type { World } from '../world.ts'
import {
  configFolder,
  type FileSettings,
  parseObject,
  parseSettings,
  readOwned,
  withWholePaths,
  writeJson,
} from './setting-files.ts'

export const projectFileName = 'throughline.json'

const repositories = ['.git', '.hg', '.jj', '.svn']
const manifests = ['package.json', 'deno.json', 'pyproject.toml', 'Cargo.toml', 'go.mod']

/** The nearest one that is there, trusted or not. */
export function projectFile(world: World): string | null {
  return candidates(world).find((file) => existsSync(file)) ?? null
}

export interface ProjectSettings {
  readonly file: string
  readonly values: FileSettings
}

/** Of the nearest file that counts; each that is ignored is named on stderr. */
export function projectSettings(world: World): ProjectSettings | null {
  for (const file of candidates(world)) {
    const found = readOwned(file, world)
    if (found === null) continue
    if (found.text !== null && isTrusted(file, found.text, world)) {
      const values = parseSettings(found.text, { file, kind: 'project' })
      return { file, values: withWholePaths(values, file) }
    }
    const untrusted = `you have not trusted it as it is now; look at it, then: ${typedCommand('config trust', world)}`
    ignored(file, found.foreign ?? untrusted, world)
  }
  return null
}

/** Says that a file of settings does not count, and why. */
export function ignored(file: string, why: string, world: World): void {
  const message = `${file} is ignored, because ${why}`
  world.notice({ code: 'SETTINGS_IGNORED', message, file })
}

/** From the working folder upward. */
function candidates(world: World): readonly string[] {
  return projectFolders(world).map((folder) => join(folder, projectFileName))
}

/**
 * Up to the repository, else up to the nearest manifest, else up to home; outside home and in no project,
 * the working folder alone.
 */
function projectFolders({ cwd, home }: World): readonly string[] {
  const folders = upward(realPath(cwd))
  const end = folders.indexOf(realPath(home))
  // A home that is the root of all, as a process without a user has, holds everybody's files.
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
  const { list, found } = trustList(world)
  if (found === null) return false
  if (found.foreign === null)
    return parseObject(found.text ?? '{}', list)[realPath(file)] === hashOf(text)
  ignored(list, `${found.foreign}; no project is trusted`, world)
  return false
}

/** Trusts a file as it is now; with null, no longer. */
export function trustFile(file: string, text: string | null, world: World): void {
  const { list, found } = trustList(world)
  if (found !== null && found.foreign !== null)
    throw new ThroughlineError('CONFIG_INVALID', `${list}: is not used, because ${found.foreign}`)
  const before = parseObject(found?.text ?? '{}', list)
  const hash = text === null ? undefined : hashOf(text)
  writeJson({ file: list, kind: 'user' }, { ...before, [realPath(file)]: hash })
}

function trustList(world: World) {
  const list = join(configFolder(world), 'trusted.json')
  return { list, found: readOwned(list, world) }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Of a file that is gone, the path that it had; a working folder or a home may lead through links. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}
