/** Installs this package in a folder as npm would; in a checkout, builds it first. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { packageFolder } from '../packages/throughline/src/cli/version.ts'

const source = packageFolder()

/** Returns the path of its launcher. */
export function installPackage(folder: string): string {
  const target = join(folder, 'node_modules/throughline')
  mkdirSync(target, { recursive: true })
  for (const name of ['package.json', 'bin'])
    cpSync(join(source, name), join(target, name), { recursive: true })
  if (existsSync(join(source, 'tsconfig.build.json'))) build(join(target, 'dist'))
  else cpSync(join(source, 'dist'), join(target, 'dist'), { recursive: true })
  for (const name of dependencies()) linkModule(name, join(folder, 'node_modules'))
  return join(target, 'bin/throughline.js')
}

function build(dist: string): void {
  const words = [join(source, '../../scripts/build.ts'), '--to', dist]
  const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`building the package failed: ${stderr}`)
}

function dependencies(): readonly string[] {
  const { dependencies } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
  return Object.keys(dependencies)
}

/** Node resolves imports of a linked package from its real folder, so a link is enough. */
export function linkModule(name: string, modules: string): void {
  const target = findPackageJSON(name, pathToFileURL(join(source, 'package.json')))
  if (target === undefined) throw new Error(`${name} is not installed`)
  mkdirSync(dirname(join(modules, name)), { recursive: true })
  symlinkSync(dirname(target), join(modules, name), 'junction')
}
