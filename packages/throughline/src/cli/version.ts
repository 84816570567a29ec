/** The version of the package, and where it is. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export function packageVersion(): string {
  const text = readFileSync(join(packageFolder(), 'package.json'), 'utf8')
  // Our own file: its version is a text.
  return (JSON.parse(text) as { readonly version: string }).version
}

/** Built, the files of the package are elsewhere than they are written. */
export function packageFolder(): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return folder
}
