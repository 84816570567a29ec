/**
 * The settings files that the user has trusted, each by its real path and the hash of its text: one that
 * changes, or is moved, has to be trusted again. The list is beside the user's own settings.
 */
import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ThroughlineError } from '../../errors.ts'
import type { World } from '../world.ts'
import { configFolder, parseObject, readOwned } from './setting-files.ts'
import { writeJson } from './write-settings.ts'

export function isTrusted(file: string, text: string, world: World): boolean {
  const list = listFile(world)
  const found = readOwned(list, world)
  if (found === null) return false
  if (found.foreign === null) return trustedIn(found.text, list)[realPath(file)] === hashOf(text)
  world.notice({
    code: 'SETTINGS_IGNORED',
    message: `${list} is ignored, because ${found.foreign}; no project is trusted`,
    file: list,
  })
  return false
}

export function trustFile(file: string, text: string, world: World): void {
  change({ [realPath(file)]: hashOf(text) }, world)
}

export function untrustFile(file: string, world: World): void {
  change({ [realPath(file)]: undefined }, world)
}

function change(entry: Readonly<Record<string, string | undefined>>, world: World): void {
  const list = listFile(world)
  const found = readOwned(list, world)
  if (found !== null && found.foreign !== null)
    throw new ThroughlineError('CONFIG_INVALID', `${list}: is not used, because ${found.foreign}`)
  const before = found === null ? {} : trustedIn(found.text, list)
  writeJson(list, { ...before, ...entry }, 'user')
}

function listFile(world: World): string {
  return join(configFolder(world), 'trusted.json')
}

function trustedIn(text: string | null, list: string): Readonly<Record<string, unknown>> {
  return parseObject(text ?? '{}', list)
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Of a file that is gone, the path that it had. */
function realPath(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    return resolve(file)
  }
}
