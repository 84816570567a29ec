/**
 * The folder for temporary files of tests: in memory where the machine has room for them, because
 * thousands of small stores wait for a disk, and no test reads after a power cut.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const inMemory = '/dev/shm'
const neededBytes = 4 * 1024 ** 3
const prefix = 'throughline-tests-'

const parent = hasRoomInMemory() ? inMemory : tmpdir()

export const testFolder = join(parent, `${prefix}${process.pid}`)

/** Called by Vitest before the tests. */
export function setup(): void {
  for (const name of readdirSync(parent))
    if (name.startsWith(prefix) && !isRunning(Number(name.slice(prefix.length))))
      rmSync(join(parent, name), { recursive: true, force: true })
  mkdirSync(testFolder, { recursive: true })
}

/** Called by Vitest after the tests. Servers that end with their tests remove files at the same time. */
export function teardown(): void {
  rmSync(testFolder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
}

function hasRoomInMemory(): boolean {
  if (!(existsSync(inMemory) && existsSync('/proc/mounts'))) return false
  const mount = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .find(([, folder]) => folder === inMemory)
  const { bavail, bsize } = statfsSync(inMemory)
  // Tests start programs that they write.
  return mount?.[3]?.split(',').includes('noexec') === false && bavail * bsize > neededBytes
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (cause) {
    // The process of another user.
    return (cause as { readonly code?: unknown }).code === 'EPERM'
  }
}
