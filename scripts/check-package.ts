/**
 * Checks the built package, and that of the client: bundling must not connect what users load separately. No entry point may
 * load an optional peer dependency, Node modules or the sources on import, so that the core runs in
 * browsers; and each must load few files, because every file takes time.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../packages/throughline')
const filesMost = 60
const problems: string[] = []

for (const entry of [...entries(), '@throughline/client']) {
  const loaded = loadedBy(entry)
  if (loaded.length > filesMost) problems.push(`${entry} loads ${loaded.length} files`)
  for (const url of loaded)
    if (!isOurs(url) && !isDependency(url)) problems.push(`${entry} loads ${url}`)
}
if (!loadedBy('data:text/javascript,import "node:fs"').includes('node:fs'))
  problems.push('loaded files are not detected')

for (const problem of problems) console.log(problem)
process.exitCode = problems.length === 0 ? 0 : 1

function entries(): readonly string[] {
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, unknown>>
  }
  return Object.entries(exports)
    .filter(([, target]) => typeof target !== 'string')
    .map(([name]) => name.replace('.', 'throughline'))
}

function isOurs(url: string): boolean {
  return /\/(?:throughline|client)\/dist\//.test(url)
}

function isDependency(url: string): boolean {
  return /\/(?:@noble\/hashes|eventsource-parser|stemmer)\//.test(url)
}

function loadedBy(entry: string): readonly string[] {
  const script = `
    import { registerHooks } from 'node:module'
    const urls = new Set()
    registerHooks({ resolve(name, context, next) {
      const resolved = next(name, context)
      urls.add(resolved.url)
      return resolved
    } })
    await import(${JSON.stringify(entry)})
    console.log(JSON.stringify([...urls]))`
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: folder,
    encoding: 'utf8',
  })
  return JSON.parse(output) as string[]
}
