/** This package in a folder, as npm would install it; in a checkout it is built for that. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageFolder } from '../packages/throughline/src/cli/version.ts'

const source = packageFolder()

/** Gives the path of its launcher. */
export function installPackage(folder: string): string {
  const target = join(folder, 'node_modules/throughline')
  mkdirSync(target, { recursive: true })
  for (const name of ['package.json', 'bin'])
    cpSync(join(source, name), join(target, name), { recursive: true })
  if (existsSync(join(source, 'tsconfig.build.json'))) build(join(target, 'dist'))
  else cpSync(join(source, 'dist'), join(target, 'dist'), { recursive: true })
  for (const name of ['@noble/hashes', 'stemmer']) link(name, join(folder, 'node_modules'))
  return join(target, 'bin/throughline.js')
}

function build(dist: string): void {
  const words = [join(source, '../../scripts/build.ts'), '--to', dist]
  const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`the package cannot be built: ${stderr}`)
}

/** What is imported is found from where it really stands, so a link is enough. */
function link(name: string, modules: string): void {
  let folder = dirname(
    fileURLToPath(import.meta.resolve(`${name}${name === 'stemmer' ? '' : '/sha2.js'}`)),
  )
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  mkdirSync(dirname(join(modules, name)), { recursive: true })
  symlinkSync(folder, join(modules, name), 'junction')
}
