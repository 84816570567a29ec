/**
 * A lock file beside a JSON file, so that two processes never write it. A process that has ended
 * without closing does not remove its lock; the next one takes it over.
 */
import { ThroughlineError } from '../../errors.ts'

// Loaded at the first call: importing the package must load no Node module.
const fs = () => globalThis.process.getBuiltinModule('node:fs')

interface Owner {
  readonly host: string
  readonly pid: number
  /** An earlier process may have had the same number, as in a restarted container. */
  readonly startedAt: number
  readonly token: string
}

export interface FileLock {
  /** Throws if the lock has another owner by now, so nothing may be written. */
  check(): void
  release(): void
}

export function lockFile(file: string): FileLock {
  const path = `${file}.lock`
  const startedAt = Math.round(Date.now() - process.uptime() * 1_000)
  const { hostname } = globalThis.process.getBuiltinModule('node:os')
  const token = crypto.randomUUID()
  const mine = { host: hostname(), pid: process.pid, startedAt, token }
  const isMine = () => readOwner(path)?.token === mine.token
  if (!tryCreate(path, mine)) {
    removeStale(path, mine)
    if (!tryCreate(path, mine)) throw busy(path, 'is open in another process')
  }
  return {
    check: () => {
      if (!isMine()) throw busy(path, 'was taken over by another process; open it again')
    },
    release: () => {
      if (isMine()) fs().rmSync(path, { force: true })
    },
  }
}

function tryCreate(path: string, owner: Owner): boolean {
  try {
    fs().writeFileSync(path, JSON.stringify(owner), { flag: 'wx', mode: 0o600 })
    return true
  } catch (cause) {
    if ((cause as { code?: unknown }).code === 'EEXIST') return false
    throw cause
  }
}

/** Moves the lock aside first: of several processes that find it stale, one moves it. */
function removeStale(path: string, mine: Owner): void {
  const owner = readOwner(path)
  if (owner === null || !hasEnded(owner, mine)) return
  const aside = `${path}.${mine.token}`
  try {
    fs().renameSync(path, aside)
  } catch {
    return
  }
  fs().rmSync(aside, { force: true })
}

function hasEnded({ host, pid, startedAt }: Owner, mine: Owner): boolean {
  if (host !== mine.host) return false
  // The start is computed from a clock that may have been set in between.
  if (pid === mine.pid) return Math.abs(startedAt - mine.startedAt) > 2_000
  try {
    process.kill(pid, 0)
    return false
  } catch (cause) {
    return (cause as { code?: unknown }).code === 'ESRCH'
  }
}

/** Null if there is no lock, or one that is being written. */
function readOwner(path: string): Owner | null {
  try {
    // Safe cast: only this file writes locks.
    return JSON.parse(fs().readFileSync(path, 'utf8')) as Owner
  } catch {
    return null
  }
}

function busy(path: string, why: string): ThroughlineError {
  const file = path.slice(0, -'.lock'.length)
  const wayOut = `If no process uses it, delete "${path}".`
  return new ThroughlineError('STORE_BUSY', `JSON file "${file}" ${why}. ${wayOut}`)
}
