/** The version of the package, and where it is. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export function packageVersion(): string {
  const text = readFileSync(join(packageFolder(), 'package.json'), 'utf8')
  return (JSON.parse(text) as { readonly version: string }).version
}

/** The built file is in another folder than the source. */
export function packageFolder(): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return folder
}
