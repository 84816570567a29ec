/**
 * Packs each package as users get it, in its `.cache/package.tgz`: the build, the launcher, README and license.
 * Removes the source condition and links to documents, which exist only in this repository.
 */
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { packageFolders, root } from './packages.ts'

for (const folder of packageFolders) if (packAt(folder) !== 0) process.exitCode = 1

function packAt(folder: string): number {
  const cache = join(folder, '.cache')
  const staged = join(cache, 'package')
  rmSync(staged, { recursive: true, force: true })
  mkdirSync(staged, { recursive: true })
  for (const name of ['bin', 'dist'])
    if (existsSync(join(folder, name)))
      cpSync(join(folder, name), join(staged, name), { recursive: true })
  cpSync(join(root, 'LICENSE'), join(staged, 'LICENSE'))
  writeFileSync(join(staged, 'README.md'), withoutDeadLinks(readFileSync(readmeOf(folder), 'utf8')))
  writeFileSync(join(staged, 'package.json'), publishedManifest(folder))
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

/** The page of the package; that of the repository for `throughline`. */
function readmeOf(folder: string): string {
  const own = join(root, 'docs', `${basename(folder)}.md`)
  return existsSync(own) ? own : join(root, 'README.md')
}

/** Removes pictures, and replaces a link to a file outside the package with its text. */
function withoutDeadLinks(markdown: string): string {
  const withoutPictures = markdown.replaceAll(/^!\[[^\]]*\]\((?!https?:)[^)]+\)\n\n?/gm, '')
  return withoutPictures.replace(/(?<!!)\[([^\]]+)\]\((?!https?:|#)[^)]+\)/g, '$1')
}

function publishedManifest(folder: string): string {
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
