/** Changes a file of settings: one field, the rest as it was, in one step. */
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from '../ownership.ts'
import type { World } from '../world.ts'
import { type FileSettings, ownSettings, type SettingFileKind } from './setting-files.ts'

/** `undefined` takes the field out. Gives the new text of the file. */
export function writeSetting(
  { file, kind }: { readonly file: string; readonly kind: SettingFileKind },
  { name, value }: { readonly name: string; readonly value: unknown },
  world: World,
): string {
  return writeJson(file, { ...ownSettings(file, kind, world), [name]: value }, kind)
}

export function writeJson(file: string, values: FileSettings, kind: SettingFileKind): string {
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
