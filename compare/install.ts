/** Installs the peers of the lock file into a cache outside the repository, and links them. */
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { sha256 } from 'throughline/stores'

const peers = join(import.meta.dirname, 'peers')

/** Null if all peers are installed, otherwise why they are not. */
export function installPeers(): string | null {
  const lock = readFileSync(join(peers, 'package-lock.json'), 'utf8')
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache')
  const folder = join(cache, 'throughline', 'compare', sha256(lock).slice(0, 12))
  const done = join(folder, 'installed')
  if (!existsSync(done)) {
    mkdirSync(folder, { recursive: true })
    for (const name of ['package.json', 'package-lock.json'])
      copyFileSync(join(peers, name), join(folder, name))
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--workspaces=false']
    const { status, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' })
    if (status !== 0)
      return `npm could not install the peers: ${stderr.match(/npm error .*/)?.[0] ?? stderr}`
    writeFileSync(done, '')
  }
  const link = join(peers, 'node_modules')
  rmSync(link, { force: true })
  symlinkSync(join(folder, 'node_modules'), link, 'junction')
  return null
}

/** The versions of the lock file. */
export function peerVersions(): Readonly<Record<string, string>> {
  const { dependencies } = JSON.parse(readFileSync(join(peers, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>
  }
  return dependencies
}
