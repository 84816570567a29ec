/** The package as users would get it, in `packages/throughline/.cache/package.tgz`: packed once, looked at by several. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../packages/throughline')
const cache = join(folder, '.cache')
mkdirSync(cache, { recursive: true })
const { status, stdout } = spawnSync(`npm pack --silent --pack-destination "${cache}"`, {
  cwd: folder,
  encoding: 'utf8',
  shell: true,
  stdio: ['ignore', 'pipe', 'inherit'],
})
const [name = ''] = stdout.trim().split('\n').slice(-1)
if (status === 0) renameSync(join(cache, name), join(cache, 'package.tgz'))
process.exitCode = status ?? 1
