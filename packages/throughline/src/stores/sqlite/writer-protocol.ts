/** What a store and its threads, one that writes and one that searches, send to each other. */
import type { TenantId } from '../../domain/ids.ts'
import { isThroughlineError, ThroughlineError } from '../../errors.ts'
import type { TenantStore } from '../../ports/store.ts'

export interface ThreadData {
  readonly file: string
  readonly durability: 'full' | 'normal'
  readonly busyTimeoutMs: number
  /** Whether to finish the erasure of a killed process: only the one that writes. */
  readonly erasesAtOpen: boolean
}

export type CallName =
  | 'append'
  | 'commit'
  | 'create'
  | 'index'
  | 'purge'
  | 'record'
  | 'rewrite'
  | 'search'

/** A call of a method, numbered by the store. */
export type ThreadCall = {
  readonly [Name in CallName]: {
    readonly number: number
    readonly tenant: TenantId
    readonly name: Name
    readonly command: Parameters<TenantStore[Name]>[0]
  }
}[CallName]

/** `null` closes the connection, after the calls before it. */
export type ToThread = ThreadCall | null

export interface ThreadAnswer {
  readonly number: number
  readonly value?: unknown
  readonly error?: SentError
}

/** A copy between threads keeps no fields of an error. */
export interface SentError {
  readonly code: ThroughlineError['code'] | null
  readonly message: string
  readonly details: ThroughlineError['details']
}

export function sentError(error: unknown): SentError {
  if (isThroughlineError(error)) {
    const { code, message, details } = error
    return { code, message, details }
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { code: null, message, details: null }
}

export function receivedError({ code, message, details }: SentError): Error {
  if (code === null) return new Error(message)
  return new ThroughlineError(code, message, details === null ? {} : { details })
}
