/**
 * Time, the event loop, the version of the runtime, and hashing. Besides entry points and drivers
 * this is the only file that may use them, so that the core runs in browsers and on the edge.
 */
import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js'
import { pieceCharacters, type Sha256, textPieces } from './domain/hash.ts'
import { ThroughlineError } from './errors.ts'
import type { Clock } from './ports/clock.ts'
import type { Timer } from './ports/timer.ts'

export const systemClock: Clock = { now: () => Date.now() }

// A longer time overflows the timers of Node, which then do not wait at all.
const maxWaitMs = 2 ** 31 - 1

export const systemTimer: Timer = {
  wait: (milliseconds, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve()
      const end = () => {
        clearTimeout(timeout)
        signal.removeEventListener('abort', end)
        resolve()
      }
      const timeout = setTimeout(end, Math.min(maxWaitMs, milliseconds))
      signal.addEventListener('abort', end)
    }),
}

/** Runs work after the current answer was delivered. */
export const later = (run: () => void): void => {
  setTimeout(run, 0)
}

const waitingForTurn: (() => void)[] = []

/** How long those who wait may run in one turn of the event loop; the last of them may take longer. */
const turnMs = 5
let turnStartedAt: number | null = null

/**
 * Lets the event loop serve others; long work awaits it now and then. Each turn of the loop continues
 * those who wait for some milliseconds: many conversations at once would block it as one long one does.
 */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    waitingForTurn.push(resolve)
    inNextTurn(continueNext)
  })

/** Called once for each of them: what it continues runs before the next call. */
function continueNext(): void {
  const now = performance.now()
  if (turnStartedAt === null) {
    turnStartedAt = now
    inNextTurn(() => {
      turnStartedAt = null
    })
  }
  if (now - turnStartedAt < turnMs) waitingForTurn.shift()?.()
  else inNextTurn(continueNext)
}

function inNextTurn(run: () => void): void {
  // A timeout waits a millisecond or more; browsers have nothing faster.
  if (typeof setImmediate === 'function') setImmediate(run)
  else setTimeout(run, 0)
}

const maxHeldMs = 10

/**
 * Returns a function for callers who share the event loop: null while the loop is free enough, or
 * works for this owner alone, whose work is bounded; otherwise it resolves in a later turn.
 */
export function createTurns(): (owner: unknown) => Promise<void> | null {
  let held: { readonly since: number; readonly owner: unknown } | null = null
  let [isShared, waiting] = [false, 0]
  return (owner) => {
    const now = performance.now()
    if (held === null) {
      held = { since: now, owner }
      isShared = waiting > 0
      inNextTurn(() => {
        held = null
      })
    }
    isShared ||= owner !== null && held.owner !== null && held.owner !== owner
    if (!isShared || (waiting === 0 && now - held.since < maxHeldMs)) return null
    waiting += 1
    return nextTurn().then(() => {
      waiting -= 1
      held = { since: performance.now(), owner }
      isShared = waiting > 0
    })
  }
}

/** Like `later`, without keeping the process alive, for work that a later process can do. */
export const laterIfAlive = (run: () => void): void => {
  const timeout: unknown = setTimeout(run, 0)
  // A number in browsers.
  if (typeof timeout === 'object') (timeout as { unref?(): void } | null)?.unref?.()
}

/** An older Node lacks functions that the engine uses, and would fail later with a TypeError. */
export function checkRuntime(): void {
  if (typeof Map.groupBy === 'function' && typeof Set.prototype.intersection === 'function') return
  throw new ThroughlineError('CONFIG_INVALID', oldRuntimeMessage())
}

/** Bun and Deno report a Node version too; a browser has none. */
export function oldRuntimeMessage(node = globalThis.process?.versions?.node): string {
  const running = node === undefined ? 'this runtime lacks functions of it' : `this is Node ${node}`
  return `throughline needs Node 22.18 or newer; ${running}`
}

// Chosen at the first call: importing the package must load no Node module.
let chosenSha256: Sha256 | null = null

/**
 * The hash of contents, chains and files, in hexadecimal, on any runtime.
 *
 * @example
 * const name = sha256(bytes)
 */
export const sha256: Sha256 = (data) => {
  chosenSha256 ??= nativeSha256() ?? portableSha256
  return chosenSha256(data)
}

function nativeSha256(): Sha256 | null {
  // Node, Bun and Deno provide their modules here; a browser has no `process`.
  const crypto = globalThis.process?.getBuiltinModule?.('node:crypto')
  if (crypto?.hash === undefined) return null
  return (data) => {
    const pieces = piecesOf(data)
    if (pieces === null) return crypto.hash('sha256', data as Uint8Array | string, 'hex')
    const hash = crypto.createHash('sha256')
    for (const piece of pieces) hash.update(piece)
    return hash.digest('hex')
  }
}

/** Null where the data is hashed at once, which is faster; a long text would be copied whole. */
function piecesOf(data: Parameters<Sha256>[0]): Iterable<string> | null {
  if (typeof data === 'string') return data.length > pieceCharacters ? textPieces(data) : null
  return ArrayBuffer.isView(data) ? null : (data as Iterable<string>)
}

const encoder = new TextEncoder()

const portableSha256: Sha256 = (data) => {
  const hash = nobleSha256.create()
  if (ArrayBuffer.isView(data)) hash.update(data as Uint8Array)
  else for (const piece of piecesOf(data) ?? [data as string]) hash.update(encoder.encode(piece))
  return Array.from(hash.digest(), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
