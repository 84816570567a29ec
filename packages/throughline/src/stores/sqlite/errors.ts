/** What SQLite's result codes mean to a user of the store, whichever library reports them. */
import { type ErrorCode, isThroughlineError, ThroughlineError } from '../../errors.ts'

const codes: readonly (readonly [name: string, number: number, code: ErrorCode])[] = [
  ['SQLITE_BUSY', 5, 'STORE_BUSY'],
  ['SQLITE_LOCKED', 6, 'STORE_BUSY'],
  ['SQLITE_READONLY', 8, 'STORE_READ_ONLY'],
  ['SQLITE_CORRUPT', 11, 'STORE_CORRUPT'],
  ['SQLITE_FULL', 13, 'STORE_FULL'],
  ['SQLITE_NOTADB', 26, 'STORE_CORRUPT'],
]

export function storeError(cause: unknown, where: string): ThroughlineError {
  if (isThroughlineError(cause)) return cause
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new ThroughlineError(codeOf(cause), `${where}: ${reason}`, { cause })
}

function codeOf(cause: unknown): ErrorCode {
  const { code, errcode } = (cause ?? {}) as { readonly code?: unknown; readonly errcode?: unknown }
  // Extended result codes carry the primary one in their low byte.
  const primary = typeof errcode === 'number' ? errcode & 0xff : null
  const row = codes.find(
    ([name, number]) => number === primary || (typeof code === 'string' && code.startsWith(name)),
  )
  return row?.[2] ?? 'STORE_FAILED'
}
