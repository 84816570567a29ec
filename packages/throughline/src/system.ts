/**
 * The world outside: time, turns of the event loop, and hashing. The only file beside the doors and
 * drivers that may reach for it, so the core runs in browsers and on the edge.
 */
import { sha256 as portableSha256 } from '@noble/hashes/sha2.js'
import type { Sha256 } from './domain/hash.ts'
import type { Clock } from './ports/clock.ts'
import type { Timer } from './ports/timer.ts'

export const systemClock: Clock = { now: () => Date.now() }

// A longer time overflows the timers of Node, which then do not wait at all.
const longestWaitMs = 2 ** 31 - 1

export const systemTimer: Timer = {
  wait: (milliseconds, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve()
      const end = () => {
        clearTimeout(timeout)
        signal.removeEventListener('abort', end)
        resolve()
      }
      const timeout = setTimeout(end, Math.min(longestWaitMs, milliseconds))
      signal.addEventListener('abort', end)
    }),
}

/** When whoever waits for an answer has got it. */
export const later = (begin: () => void): void => {
  setTimeout(begin, 0)
}

/** The same, for work that can wait for another run: a process that has nothing else to do ends. */
export const laterIfAlive = (begin: () => void): void => {
  const timeout: unknown = setTimeout(begin, 0)
  // A number in browsers.
  if (typeof timeout === 'object') (timeout as { unref?(): void } | null)?.unref?.()
}

// Chosen at the first call: importing the package must load no Node module.
let chosen: Sha256 | null = null

/**
 * The hash that places, chains and files go by, in hexadecimal, on any runtime.
 *
 * @example
 * const name = sha256(bytes)
 */
export const sha256: Sha256 = (data) => {
  chosen ??= nativeSha256() ?? portable
  return chosen(data)
}

function nativeSha256(): Sha256 | null {
  // Node, Bun and Deno hand out their own modules here; a browser has no `process`.
  const crypto = globalThis.process?.getBuiltinModule?.('node:crypto')
  if (crypto?.hash === undefined) return null
  return (data) => crypto.hash('sha256', data, 'hex')
}

const encoder = new TextEncoder()

const portable: Sha256 = (data) => {
  const digest = portableSha256(typeof data === 'string' ? encoder.encode(data) : data)
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
