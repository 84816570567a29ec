import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { makeFolder } from './ownership.ts'
import { testWorld } from './world.test-support.ts'

it('creates all folders of a path, each private to its owner', () => {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-folder-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  makeFolder(join(folder, 'a/b/c'), { mode: 0o700 })
  makeFolder(join(folder, 'a/b/c'), { mode: 0o700 })
  for (const path of ['a', 'a/b', 'a/b/c'])
    expect(statSync(join(folder, path)).mode & 0o077).toBe(0)
})

// With Node's own recursive mkdir this test would never end.
it.runIf(existsSync('/proc/self'))('fails if the file system cannot create folders', async () => {
  expect(() => makeFolder('/proc/throughline/deep')).toThrow('ENOENT')
  const { folder, run } = testWorld()
  writeFileSync(join(folder, 'a.json'), '[{"role":"user","content":"Hello"}]')
  expect(await run('import', 'a.json', '--store', '/proc/throughline/chat.db')).toMatchObject({
    exitCode: 74,
    stderr: expect.not.stringContaining('THROUGHLINE_DEBUG'),
  })
})

it('names the folder that cannot be created, with the exit code of file errors', async () => {
  const { folder, run } = testWorld({ env: { XDG_CONFIG_HOME: '' } })
  writeFileSync(join(folder, '.config'), '')
  expect(await run('config', 'set', 'model', 'a/b')).toMatchObject({
    exitCode: 74,
    stderr: expect.stringContaining('.config'),
  })
})
