/** Changes a file of settings: one field, the rest as it was, in one step. */
import { renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from '../make-folder.ts'
import { type SettingFileKind, writtenSettings } from './setting-files.ts'

/** `undefined` takes the field out. */
export function writeSetting(
  file: string,
  kind: SettingFileKind,
  { name, value }: { readonly name: string; readonly value: unknown },
): void {
  const before = writtenSettings(file, kind)
  const after = Object.fromEntries(
    Object.entries({ ...before, [name]: value }).filter(([, each]) => each !== undefined),
  )
  makeFolder(dirname(file), kind === 'user' ? { mode: 0o700 } : {})
  // Whoever reads meanwhile has the old file or the new one, never half of it.
  const fresh = `${file}.${process.pid}.new`
  writeFileSync(fresh, `${JSON.stringify(after, null, 2)}\n`, {
    mode: kind === 'user' ? 0o600 : 0o644,
  })
  renameSync(fresh, file)
}
