/**
 * The settings of a project: `throughline.json`, in the working folder or above it up to the end of the
 * project. They count once the user has trusted them (`trusted-files.ts`): a repository that was cloned
 * belongs to the user and was written by somebody else.
 *
 * Above the project is somebody else's place: a file in a shared folder would be a setting of everybody
 * who works below it.
 */
import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, parse, resolve } from 'node:path'
import { typedCommand } from '../command.ts'
import type { World } from '../world.ts'
import { type FileSettings, parseSettings, readOwned, withWholePaths } from './setting-files.ts'
import { isTrusted } from './trusted-files.ts'

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
    ignore(file, found.foreign, world)
  }
  return null
}

function ignore(file: string, foreign: string | null, world: World): void {
  const why =
    foreign ??
    `you have not trusted it as it is now; look at it, then: ${typedCommand('config trust', world)}`
  world.notice({
    code: 'SETTINGS_IGNORED',
    message: `${file} is ignored, because ${why}`,
    file,
  })
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
  const folders = upward(real(cwd))
  const end = folders.indexOf(real(home))
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

/** The working folder of a process is a real path; a home may lead through links. */
function real(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return resolve(folder)
  }
}
