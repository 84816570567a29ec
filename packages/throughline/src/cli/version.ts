/** The version of the package. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolder } from '../package-folder.ts'
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
