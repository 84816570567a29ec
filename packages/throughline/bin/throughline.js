#!/usr/bin/env node
/**
 * Starts the command line: the build of an installed package, or the sources of a checkout. This is plain
 * JavaScript that Node 16 can run. If the running Node is too old, the launcher looks for a newer one and
 * runs itself with it, with the same arguments, streams and signals.
 */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const least = [22, 18]
const folder = dirname(dirname(fileURLToPath(import.meta.url)))

if (isNewEnough(process.versions.node)) {
  cacheCompiledCode()
  await import(pathToFileURL(entryFile()).href)
} else await runWithNewerNode()

function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > least[0] || (major === least[0] && minor >= least[1])
}

/** Caches compiled code in the user's own folder: other users can write to the default one. */
function cacheCompiledCode() {
  const { XDG_CACHE_HOME, HOME, LOCALAPPDATA } = process.env
  const cache = XDG_CACHE_HOME || LOCALAPPDATA || (HOME && join(HOME, '.cache'))
  const library = process.getBuiltinModule('node:module')
  if (cache) library.enableCompileCache(join(cache, 'throughline', 'compiled'))
  // On Node 22 every command would start with a warning that SQLite is experimental.
  const { emitWarning } = process
  process.emitWarning = (warning, ...rest) => {
    if (rest[0] !== 'ExperimentalWarning') emitWarning.call(process, warning, ...rest)
  }
}

/**
 * Only a checkout has the build settings. It runs the sources, because a build may be out of date and the
 * check would take longer than it saves.
 */
function entryFile() {
  const isCheckout = existsSync(join(folder, 'tsconfig.build.json'))
  return join(folder, isCheckout ? 'src/cli/main.ts' : 'dist/cli/main.js')
}

async function runWithNewerNode() {
  const { findNode } = await import('./find-node.js')
  const { runWith } = await import('./run-with.js')
  const node = process.env.THROUGHLINE_RELAUNCHED
    ? null
    : findNode({ isNewEnough, from: folder, env: process.env })
  if (node === null) {
    console.error(
      `throughline needs Node ${least.join('.')} or newer; this is Node ${process.versions.node} (${process.execPath}).\n` +
        'Install a newer Node, or set THROUGHLINE_NODE to the path of one.',
    )
    process.exitCode = 69
  } else await runWith(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)])
}
