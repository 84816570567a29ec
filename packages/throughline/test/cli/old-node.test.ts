import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, isAbsolute, join, sep } from 'node:path'
import { rolldown } from 'rolldown'
import { expect, it, onTestFinished } from 'vitest'
import { oldRuntimeMessage } from '../../src/system.ts'
import { spawned } from './spawned.ts'

const folder = join(import.meta.dirname, '../..')
const oldNode = findOldNode()
const needed = 'throughline needs Node 22.18 or newer; this is Node '

/** A Node older than 22 on the PATH. Those below `node_modules` are the ones that tests run with. */
function findOldNode(): { readonly file: string; readonly version: string } | null {
  for (const place of (process.env['PATH'] ?? '').split(delimiter)) {
    const file = join(place, 'node')
    if (place.split(sep).includes('node_modules') || !existsSync(file)) continue
    const version = spawnSync(file, ['--version'], { encoding: 'utf8' }).stdout?.trim().slice(1)
    if (version && Number.parseInt(version, 10) < 22) return { file, version }
  }
  return null
}

function testFolder(): string {
  const made = mkdtempSync(join(tmpdir(), 'throughline-old-node-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  writeFileSync(join(made, 'package.json'), '{ "type": "module" }')
  return made
}

it('names the needed version and the running one', () => {
  expect(oldRuntimeMessage('20.20.2')).toBe(`${needed}20.20.2`)
  expect(oldRuntimeMessage()).toBe(needed + process.versions.node)
})

it.runIf(oldNode)('the package throws an error with this message on an old Node', async () => {
  const { file, version } = oldNode ?? { file: '', version: '' }
  const built = testFolder()
  const bundle = await rolldown({
    input: { index: join(folder, 'src/index.ts'), sqlite: join(folder, 'src/stores/sqlite.ts') },
    platform: 'neutral',
    external: (id) => !id.startsWith('.') && !isAbsolute(id),
  })
  await bundle.write({ dir: built, format: 'esm' })
  symlinkSync(join(folder, '../../node_modules'), join(built, 'node_modules'))
  writeFileSync(
    join(built, 'use.js'),
    `import { createThroughline, fit } from './index.js'
     import { sqlite } from './sqlite.js'
     const attempts = [() => createThroughline(), () => fit({}), () => sqlite(':memory:')]
     for (const attempt of attempts)
       await Promise.resolve().then(attempt).catch(({ name, code, message }) => console.log(name, code, message))`,
  )
  const { code, stdout, stderr } = await spawned(file, ['use.js'], { cwd: built }).ended()
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout.trim().split('\n')).toEqual([
    `ThroughlineError CONFIG_INVALID ${needed}${version}`,
    `ThroughlineError CONFIG_INVALID ${needed}${version}`,
    expect.stringContaining(`sqlite: node:sqlite is missing; ${needed}${version}. `),
  ])
})

it.runIf(oldNode)('the command line prints this message on an old Node', async () => {
  const { file, version } = oldNode ?? { file: '', version: '' }
  const installed = testFolder()
  cpSync(join(folder, 'bin'), join(installed, 'bin'), { recursive: true })
  const { code, stdout, stderr } = await spawned(file, [
    join(installed, 'bin/throughline.js'),
    'list',
  ]).ended()
  expect({ code, stdout }).toEqual({ code: 69, stdout: '' })
  expect(stderr.split('\n')).toEqual([
    expect.stringContaining(`${needed}${version} (/`),
    'Install a newer Node, or set THROUGHLINE_NODE to the path of one.',
    '',
  ])
})
