/**
 * Packs each package as users get it, in its `.cache/package.tgz`: the build, the launcher, README, license and notices.
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
import { basename, join, relative } from 'node:path'
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
  for (const name of ['LICENSE', 'THIRD-PARTY-NOTICES.md'])
    cpSync(join(root, name), join(staged, name))
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
  const published = { ...manifest, ...repository(folder), exports: Object.fromEntries(exports) }
  return `${JSON.stringify(published, null, 2)}\n`
}

/** Where the CI workflow builds it: npm compares this with the provenance. */
function repository(folder: string): object {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = process.env
  if (server === undefined || name === undefined) return {}
  const directory = relative(root, folder).replaceAll('\\', '/')
  return { repository: { type: 'git', url: `git+${server}/${name}.git`, directory } }
}

function withoutSource(target: object): object {
  return Object.fromEntries(
    Object.entries(target).filter(([condition]) => condition !== 'throughline-source'),
  )
}
