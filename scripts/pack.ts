/**
 * Packs the package as users get it, in `packages/throughline/.cache/package.tgz`: the build, the
 * launcher, README and license. Removes the source condition and links to documents, which exist only
 * in this repository.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'packages/throughline')
const cache = join(folder, '.cache')
const staged = join(cache, 'package')

rmSync(staged, { recursive: true, force: true })
mkdirSync(staged, { recursive: true })
for (const name of ['bin', 'dist'])
  cpSync(join(folder, name), join(staged, name), { recursive: true })
cpSync(join(root, 'LICENSE'), join(staged, 'LICENSE'))
writeFileSync(
  join(staged, 'README.md'),
  withoutDeadLinks(readFileSync(join(root, 'README.md'), 'utf8')),
)
writeFileSync(join(staged, 'package.json'), publishedManifest())
process.exitCode = pack()

function pack(): number {
  const { status, stdout } = spawnSync(`npm pack --silent --pack-destination "${cache}"`, {
    cwd: staged,
    encoding: 'utf8',
    shell: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [name = ''] = stdout.trim().split('\n').slice(-1)
  if (status === 0) renameSync(join(cache, name), join(cache, 'package.tgz'))
  return status ?? 1
}

/** Replaces a link to a file outside the package with its text. */
function withoutDeadLinks(markdown: string): string {
  return markdown.replace(/(?<!!)\[([^\]]+)\]\((?!https?:|#)[^)]+\)/g, '$1')
}

function publishedManifest(): string {
  const { devDependencies: _, ...manifest } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as { exports: Record<string, unknown>; devDependencies?: unknown }
  const exports = Object.entries(manifest.exports).map(([path, target]) => [
    path,
    typeof target === 'object' && target !== null ? withoutSource(target) : target,
  ])
  return `${JSON.stringify({ ...manifest, exports: Object.fromEntries(exports) }, null, 2)}\n`
}

function withoutSource(target: object): object {
  return Object.fromEntries(
    Object.entries(target).filter(([condition]) => condition !== 'throughline-source'),
  )
}
