/** What is written down of a request: all but its secrets. */
import type { SentHeaders } from './api.ts'
import type { ServedRequest } from './options.ts'
import { apiAt, type Incoming } from './refusal.ts'

/** A record as long as its request goes on. */
export type OpenRecord = { -readonly [Field in keyof ServedRequest]: ServedRequest[Field] }

export function newRecord(
  { method, path, headers, body = null }: Incoming,
  startedAtMs: number,
): OpenRecord {
  return {
    method,
    path,
    headers: withoutSecrets(headers),
    body,
    api: apiAt(path)?.name ?? null,
    question: null,
    problems: [],
    fault: null,
    status: null,
    said: null,
    invented: [],
    startedAtMs,
    endedAtMs: null,
    ended: null,
  }
}

const secretHeader = /key|token|auth|cookie|secret/

function withoutSecrets(headers: SentHeaders): SentHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !secretHeader.test(name)))
}
