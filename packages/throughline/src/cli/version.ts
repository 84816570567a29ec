/** The version of the package. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { done, type Ending } from './ending.ts'
import type { World } from './world.ts'

export function packageVersion(): string {
  const text = readFileSync(join(packageFolder(), 'package.json'), 'utf8')
  // Our own file: its version is a text.
  return (JSON.parse(text) as { readonly version: string }).version
}

export async function version({ stdout }: World): Promise<Ending> {
  await stdout.write(`${packageVersion()}\n`)
  return done
}

/** Where this package is: built, its files are elsewhere than they are written. */
export function packageFolder(): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return folder
}
