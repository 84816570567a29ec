/** Files that cannot be opened: the system calls fail here, because tests may run as root. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { sqlite } from '../sqlite.ts'
import { unwritablePart } from './open-file.ts'

const fs = process.getBuiltinModule('node:fs')
const folder = mkdtempSync(join(tmpdir(), 'throughline-'))
let files = 0
const newFile = () => join(folder, `${files++}.db`)
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(() => vi.restoreAllMocks())

const failWith = (code: string) => () => {
  throw Object.assign(new Error(`failed ${code}`), { code })
}

/** Only these paths can be written. */
function allowWriting(...paths: readonly string[]): void {
  vi.spyOn(fs, 'accessSync').mockImplementation((path) => {
    if (!paths.includes(String(path))) failWith('EACCES')()
  })
}

it.each([
  ['EROFS', 'STORE_READ_ONLY'],
  ['EACCES', 'STORE_READ_ONLY'],
  ['EPERM', 'STORE_READ_ONLY'],
  ['EIO', 'STORE_FAILED'],
])('a file that cannot be created for %s is reported as %s', (code, expected) => {
  vi.spyOn(fs, 'openSync').mockImplementationOnce(failWith(code))
  const file = newFile()
  expect(() => sqlite(file)).toThrow(
    expect.objectContaining({
      code: expected,
      message: expect.stringContaining(`"${file}" cannot be opened: failed ${code}`),
    }),
  )
})

it('says whether the file or its folder cannot be written', async () => {
  const file = newFile()
  await sqlite(file).close()
  const message = () => {
    vi.spyOn(fs, 'openSync').mockImplementationOnce(failWith('EIO'))
    try {
      sqlite(file)
      return ''
    } catch (error) {
      return (error as Error).message
    }
  }
  allowWriting()
  expect(message()).toContain('with readOnly, because it cannot be written')
  allowWriting(file)
  expect(message()).toContain('with readOnly, because its folder cannot be written')
  allowWriting(file, folder)
  expect(message()).toContain('cannot be opened: failed EIO')
})

it('needs no folder to write if another process has the log open', async () => {
  const file = newFile()
  expect(unwritablePart(file)).toBeNull()
  await sqlite(file).close()
  const [log, shared] = [`${file}-wal`, `${file}-shm`]
  for (const [writable, expected] of [
    [[], 'file'],
    [[folder], 'file'],
    [[file], 'folder'],
    [[file, log], 'folder'],
    [[file, shared], 'folder'],
    [[file, log, shared], null],
    [[file, folder], null],
  ] as const) {
    allowWriting(...writable)
    expect(unwritablePart(file)).toBe(expected)
  }
})
