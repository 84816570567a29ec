/** Errors that a correct program does not meet in normal operation: one class, with codes. */
import { type errorTable, retryableCodes } from './errors-data.ts'

export { errorTable } from './errors-data.ts'

/** The code of a `ThroughlineError`. */
export type ErrorCode = keyof typeof errorTable

// Two copies of the package in one program recognize each other's errors by this.
const marker = Symbol.for('throughline.error')

/**
 * The error class of this package: has a code of `errorTable`, and figures for programs.
 *
 * @example
 * const refused = new ThroughlineError('STORE_FAILED', 'the table is gone', { cause: error })
 * console.log(refused.code, refused.retryable)
 */
export class ThroughlineError extends Error {
  readonly code: ErrorCode
  readonly retryable: boolean
  /** The figures of the message, for programs. */
  readonly details: Readonly<Record<string, unknown>> | null

  constructor(
    code: ErrorCode,
    message: string,
    options?: { readonly cause?: unknown; readonly details?: Readonly<Record<string, unknown>> },
  ) {
    super(message, options)
    this.details = options?.details ?? null
    this.name = 'ThroughlineError'
    this.code = code
    this.retryable = retryableCodes.includes(code)
    Object.defineProperty(this, marker, { value: true })
  }
}

/**
 * Whether a value is a `ThroughlineError`, also where the package is installed twice.
 *
 * @example
 * if (isThroughlineError(error) && error.code === 'CONTEXT_OVERFLOW') console.log(error.details)
 */
export function isThroughlineError(value: unknown): value is ThroughlineError {
  return typeof value === 'object' && value !== null && marker in value
}

/** Whether an import failed because its package is not installed. */
export function isNotInstalled(cause: unknown): boolean {
  if (typeof cause !== 'object' || cause === null) return false
  const { code, message } = cause as { readonly code?: unknown; readonly message?: unknown }
  return notInstalledCodes.includes(code) || withoutCode.test(String(message))
}

// The last is that of a script: it cannot import at all.
const notInstalledCodes: readonly unknown[] = [
  ...['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND', 'ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING'],
]

// Chromium; Firefox; Safari; Workers. They import what a bundler left as it was.
const withoutCode =
  /^(?:Failed to resolve module specifier|The specifier .* was a bare specifier|Module name, .* does not resolve|No such module)/
