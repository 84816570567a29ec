import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { lockFile } from './lock.ts'

const folder = mkdtempSync(join(tmpdir(), 'throughline-'))
afterAll(() => rmSync(folder, { recursive: true }))

const file = join(folder, 'chat.json')
const path = `${file}.lock`
beforeEach(() => rmSync(path, { force: true }))

const startedAt = Date.now() - process.uptime() * 1_000
/** No process has this number. */
const endedPid = 2 ** 30
const busy = expect.objectContaining({ code: 'STORE_BUSY' })

function lockedBy(owner: Readonly<Record<string, unknown>>): void {
  const known = { host: hostname(), pid: process.pid, startedAt, token: 'other' }
  writeFileSync(path, JSON.stringify({ ...known, ...owner }))
}

describe('a lock', () => {
  it('is a private file that names its process, until it is released', () => {
    const lock = lockFile(file)
    const owner = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
    expect(owner).toMatchObject({ host: hostname(), pid: process.pid })
    expect(Math.abs(Number(owner['startedAt']) - startedAt)).toBeLessThan(1_000)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    lock.check()
    lock.release()
    expect(existsSync(path)).toBe(false)
    lock.release()
  })

  it('is taken by one owner at a time', () => {
    const lock = lockFile(file)
    expect(() => lockFile(file)).toThrow(busy)
    expect(() => lockFile(file)).toThrow(`"${file}" is open in another process`)
    lock.check()
    lock.release()
    lockFile(file).release()
  })

  it.each([
    ['a process that has ended', { pid: endedPid }],
    ['an earlier process with the same number', { startedAt: startedAt - 10_000 }],
    ['a process before the clock was set back', { startedAt: startedAt + 10_000 }],
  ])('of %s is taken over', (_, owner) => {
    lockedBy(owner)
    const lock = lockFile(file)
    lock.check()
    expect(readdirSync(folder)).toEqual(['chat.json.lock'])
    lock.release()
  })

  it.each([
    ['this process', {}],
    ['this process, by a clock that was set a little', { startedAt: startedAt - 1_000 }],
    ['another process', { pid: process.ppid, startedAt: 0 }],
    ['a process on another computer', { host: 'elsewhere', pid: endedPid }],
  ])('of %s is respected', (_, owner) => {
    lockedBy(owner)
    expect(() => lockFile(file)).toThrow(busy)
    expect(readFileSync(path, 'utf8')).toContain('"other"')
  })

  it('that is being written is respected', () => {
    writeFileSync(path, '')
    expect(() => lockFile(file)).toThrow(busy)
  })

  it('that was taken over is noticed, and not removed', () => {
    const lock = lockFile(file)
    lockedBy({})
    expect(() => lock.check()).toThrow('was taken over by another process')
    lock.release()
    expect(existsSync(path)).toBe(true)
    rmSync(path)
    expect(() => lock.check()).toThrow(busy)
  })

  it('needs a folder', () => {
    expect(() => lockFile(join(folder, 'missing', 'chat.json'))).toThrow('ENOENT')
  })
})
