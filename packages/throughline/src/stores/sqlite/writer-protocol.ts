/** What a store and the thread that writes for it send to each other. */
import type { TenantId } from '../../domain/ids.ts'
import { isThroughlineError, ThroughlineError } from '../../errors.ts'
import type { TenantStore } from '../../ports/store.ts'

export interface WriterData {
  readonly file: string
  readonly durability: 'full' | 'normal'
  readonly busyTimeoutMs: number
}

export type WriteName = 'append' | 'commit' | 'create' | 'index' | 'purge' | 'record' | 'rewrite'

/** A call of a write, numbered by the store. */
export type WriteCall = {
  readonly [Name in WriteName]: {
    readonly number: number
    readonly tenant: TenantId
    readonly name: Name
    readonly command: Parameters<TenantStore[Name]>[0]
  }
}[WriteName]

/** `null` closes the connection, after the calls before it. */
export type ToWriter = WriteCall | null

export interface WriteAnswer {
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
