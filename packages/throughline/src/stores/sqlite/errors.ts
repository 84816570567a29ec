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
  return codes.find(([name, number]) => hasCode(cause, name, number))?.[2] ?? 'STORE_FAILED'
}

/** SQLITE_ERROR, of a driver or as the cause of an error of ours: a statement that makes no sense now. */
export function isPlainSqliteError(error: unknown): boolean {
  const cause = isThroughlineError(error) ? error.cause : error
  return hasCode(cause, 'SQLITE_ERROR', 1)
}

function hasCode(cause: unknown, name: string, number: number): boolean {
  const { code, errcode } = (cause ?? {}) as { readonly code?: unknown; readonly errcode?: unknown }
  // Extended result codes carry the primary one in their low byte.
  if (typeof errcode === 'number') return (errcode & 0xff) === number
  return typeof code === 'string' && code.startsWith(name)
}
