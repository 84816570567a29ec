/**
 * The package as users would get it, in `packages/throughline/.cache/package.tgz`: packed once, looked at by several.
 * And `types.tgz`, the same without sources and maps: who looks at types opens neither, and looks
 * through the names of all files again and again.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'

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
if (status === 0) {
  renameSync(join(cache, name), join(cache, 'package.tgz'))
  const tar = gunzipSync(readFileSync(join(cache, 'package.tgz')))
  writeFileSync(join(cache, 'types.tgz'), gzipSync(withoutSources(tar), { level: 1 }))
}
process.exitCode = status ?? 1

function withoutSources(tar: Buffer): Buffer {
  const kept: Buffer[] = []
  // Headers that extend the next one go or stay with it.
  for (let [start, at] = [0, 0]; at < tar.length; ) {
    const field = (from: number, length: number) =>
      tar.toString('utf8', at + from, at + from + length).replace(/\0[\s\S]*/, '')
    const path = `${field(345, 155)}/${field(0, 100)}`
    const type = field(156, 1)
    const bytes = Number.parseInt(field(124, 12) || '0', 8)
    at += 512 + Math.ceil(bytes / 512) * 512
    if (type === 'x' || type === 'g') continue
    if (!/\/package\/src\/|\.map$/.test(`/${path}`)) kept.push(tar.subarray(start, at))
    start = at
  }
  return Buffer.concat(kept)
}
