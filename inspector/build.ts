/**
 * Builds the page into static files, in a folder named by a hash of its sources: a server in a checkout builds it
 * when a source has changed, and two that start at once do not disturb each other.
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

const folder = import.meta.dirname

/** Returns the folder with `index.html`. */
export async function buildInspector(): Promise<string> {
  const builds = join(folder, 'dist')
  const target = join(builds, await sourcesHash())
  if (existsSync(join(target, 'index.html'))) return target
  const temporary = join(folder, '.cache', `build-${process.pid}`)
  // Loaded only for a build.
  const { build } = await import('vite')
  await build({
    root: folder,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: temporary,
      emptyOutDir: true,
      target: 'es2022',
      // The policy of the page allows no inline scripts and styles.
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      reportCompressedSize: false,
    },
  })
  await mkdir(builds, { recursive: true })
  await keepFirst(temporary, target)
  for (const name of await readdir(builds))
    if (join(builds, name) !== target)
      await rm(join(builds, name), { recursive: true, force: true })
  return target
}

/** Another process may have built the same. */
async function keepFirst(temporary: string, target: string): Promise<void> {
  try {
    await rename(temporary, target)
  } catch (error) {
    await rm(temporary, { recursive: true, force: true })
    if (!existsSync(join(target, 'index.html'))) throw error
  }
}

async function sourcesHash(): Promise<string> {
  const hash = createHash('sha256')
  const sources = await readdir(join(folder, 'src'), { recursive: true, withFileTypes: true })
  const files = sources
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name))
    .sort()
  for (const file of [
    ...files,
    ...['index.html', 'build.ts', 'package.json'].map((name) => join(folder, name)),
  ])
    hash.update(`${file.slice(folder.length)}\n`).update(await readFile(file))
  return hash.digest('hex').slice(0, 16)
}
