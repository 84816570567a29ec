#!/usr/bin/env node
/**
 * The launcher. Plain JavaScript that any Node from 16 on can run: where the running one is too old
 * it looks for a newer one and runs itself with it, with the same arguments, streams and signals.
 * Otherwise it loads the command line: as it was built, or in a checkout as it is written.
 */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const least = [22, 18]
const folder = dirname(dirname(fileURLToPath(import.meta.url)))

if (isNewEnough(process.versions.node)) {
  keepCompiled()
  await import(pathToFileURL(entryFile()).href)
} else await runWithNewerNode()

function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > least[0] || (major === least[0] && minor >= least[1])
}

/** Compiled code is kept in a folder of our own: others can write to the common one. */
function keepCompiled() {
  const { XDG_CACHE_HOME, HOME, LOCALAPPDATA } = process.env
  const cache = XDG_CACHE_HOME || LOCALAPPDATA || (HOME && join(HOME, '.cache'))
  const library = process.getBuiltinModule('node:module')
  if (cache) library.enableCompileCache(join(cache, 'throughline', 'compiled'))
  // On Node 22 every command would begin with a warning that SQLite is experimental there.
  const { emitWarning } = process
  process.emitWarning = (warning, ...rest) => {
    if (rest[0] !== 'ExperimentalWarning') emitWarning.call(process, warning, ...rest)
  }
}

/**
 * Only a checkout has the settings of the build. There the sources run, which are never older than
 * themselves: what was built may be, and to find that out takes longer than it would save.
 */
function entryFile() {
  const isCheckout = existsSync(join(folder, 'tsconfig.build.json'))
  return join(folder, isCheckout ? 'src/cli/main.ts' : 'dist/cli/main.js')
}

async function runWithNewerNode() {
  const { findNode } = await import('./find-node.js')
  const { runWith } = await import('./run-with.js')
  const node = process.env.THROUGHLINE_HANDED_OVER
    ? null
    : findNode({ isNewEnough, from: folder, env: process.env })
  if (node === null) {
    console.error(
      `throughline needs Node ${least.join('.')} or newer, and this is ${process.version} (${process.execPath}).\n` +
        'Install a newer one, or name one: THROUGHLINE_NODE=/path/to/node throughline …',
    )
    process.exitCode = 69
  } else await runWith(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)])
}
