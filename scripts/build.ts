/** Makes `packages/throughline/dist` from `src`, from nothing each time. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'packages/throughline')

rmSync(join(folder, 'dist'), { recursive: true, force: true })
const { status } = spawnSync(`tsc -p "${join(folder, 'tsconfig.build.json')}"`, {
  stdio: 'inherit',
  shell: true,
})
for (const file of ['README.md', 'LICENSE']) copyFileSync(join(root, file), join(folder, file))
process.exitCode = status ?? 1
