/** Our error codes for the errors of PostgreSQL and of its connections. */
import { type ErrorCode, isThroughlineError, ThroughlineError } from 'throughline'

const codes: Readonly<Record<string, ErrorCode>> = {
  // Deadlocks and lost races remain only after many tries.
  '40001': 'STORE_BUSY',
  '40P01': 'STORE_BUSY',
  '55P03': 'STORE_BUSY',
  '57014': 'STORE_BUSY',
  '25P03': 'STORE_BUSY',
  '53300': 'STORE_BUSY',
  '53100': 'STORE_FULL',
  '25006': 'STORE_READ_ONLY',
  XX001: 'STORE_CORRUPT',
  XX002: 'STORE_CORRUPT',
}

export function storeError(cause: unknown): ThroughlineError {
  if (isThroughlineError(cause)) return cause
  const reason = cause instanceof Error ? cause : new Error(String(cause))
  const inner =
    reason.cause instanceof Error ? `${reason.message}: ${messageOf(reason.cause)}` : null
  const code = isConnectionLost(cause)
    ? 'STORE_UNREACHABLE'
    : (codes[codeOf(cause)] ?? 'STORE_FAILED')
  return new ThroughlineError(code, `PostgreSQL: ${inner ?? messageOf(reason)}`, { cause })
}

/** A refused connection to several addresses has only inner messages. */
function messageOf(error: Error): string {
  if (error.message !== '' || !(error instanceof AggregateError)) return error.message
  return error.errors
    .map((each) => (each instanceof Error ? each.message : String(each)))
    .join(', ')
}

/** Another transaction was faster: the same one may succeed now. */
export function isRetryable(cause: unknown): boolean {
  return ['40001', '40P01', '23505'].includes(codeOf(cause))
}

const lostCodes = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  // Stopping, crashed or starting; and a primary that has become a replica.
  '57P01',
  '57P02',
  '57P03',
  '25006',
]

/** Whether the connection is of no use any more. */
export function isConnectionLost(cause: unknown): boolean {
  if (isThroughlineError(cause)) return false
  const inner = cause instanceof Error ? cause.cause : null
  if (inner instanceof Error && isConnectionLost(inner)) return true
  const code = codeOf(cause)
  if (lostCodes.includes(code) || code.startsWith('08')) return true
  const message = cause instanceof Error ? cause.message : ''
  return code === '' && lostMessages.some((each) => message.includes(each))
}

// The library has no codes for these.
const lostMessages = [
  'Connection terminated',
  'Client has encountered a connection error',
  'Client was closed and is not queryable',
]

function codeOf(cause: unknown): string {
  const code = (cause as { readonly code?: unknown } | null)?.code
  return typeof code === 'string' ? code : ''
}
