/**
 * What a provider or its client threw, as a value: whether to retry, and what may be reported. The
 * text of the request, which an error may carry, is never read.
 */
import { type Fields, fieldsIn } from '../domain/json.ts'
import { type ErrorDetails, nestedErrors, providerOverflow } from '../domain/provider-overflow.ts'
import { safeExcerpt } from '../extract/redact-secrets.ts'
import type { ModelFailure } from '../ports/language-model.ts'

export const tooLargeName = 'AnswerTooLarge'
export const otherShapeName = 'AnswerOfOtherShape'

export function namedError(name: string, message: string): Error {
  return Object.assign(new Error(message), { name })
}

export function failed(cause: ModelFailure['cause'], message: string) {
  const failure = { cause, status: null, retryAfterMs: null, message: safeExcerpt(message) }
  return { kind: 'failed', failure } as const
}

/** What a provider or its client threw, as a value. See `streamReply`. */
export function failureOf(error: unknown, now: number): ModelFailure {
  const details = nestedErrors(error)
  const status = details.find((detail) => detail.status !== null)?.status ?? null
  return {
    cause: providerOverflow(error) === null ? causeOf(details, status) : 'refused',
    status,
    retryAfterMs: retryAfterIn(error, now),
    message: messageOf(details, error),
  }
}

function causeOf(details: readonly ErrorDetails[], status: number | null): ModelFailure['cause'] {
  const has = (pattern: RegExp) =>
    details.some(({ codes }) => codes.some((code) => pattern.test(code)))
  if (has(tooLarge)) return 'invalid'
  // Out of credit comes with the status of too many requests.
  if (has(outOfMoney)) return 'refused'
  if (status !== null && status >= 400) return isTemporary(status) ? 'transport' : 'refused'
  if (has(unusable)) return 'refused'
  if (has(otherShape)) return 'invalid'
  // Broken connections, cut bodies, errors in the middle of a stream.
  return 'transport'
}

const tooLarge = new RegExp(`^${tooLargeName}$`, 'i')
const outOfMoney = /insufficient_quota|billing|insufficient_credit|payment_required/
const unusable =
  /^ai_(?:loadapikey|loadsetting|nosuchmodel|nosuchprovider|unsupported|invalidprompt|invalidargument)|invalid_request|authentication|permission|not_found_error/
const otherShape = new RegExp(
  `^(?:ai_typevalidation|ai_invalidresponsedata|${otherShapeName}$)`,
  'i',
)

/** Busy, late, or broken: the same request may work a moment later. */
function isTemporary(status: number): boolean {
  return status === 408 || status === 409 || status === 425 || status === 429 || status >= 500
}

/** Errors that wrap others say little, so the first two texts are reported. */
function messageOf(details: readonly ErrorDetails[], error: unknown): string {
  const texts = details.flatMap(({ texts: [text] }) => (text === undefined ? [] : [text.trim()]))
  const [first, second] = [...new Set(texts)].filter((text) => text !== '')
  const joined = second === undefined || first?.includes(second) ? first : `${first}: ${second}`
  return safeExcerpt(joined ?? (error instanceof Error ? error.name : 'an error without words'))
}

// Errors of several attempts wrap the last one, and clients wrap once or twice.
const maxWraps = 5

function retryAfterIn(error: unknown, now: number): number | null {
  let current = error
  for (let depth = 0; depth < maxWraps; depth += 1) {
    const { responseHeaders, lastError, cause } = readSafely(current)
    const waitMs = retryAfterMs(fieldsIn(responseHeaders), now)
    if (waitMs !== null) return waitMs
    current = lastError ?? cause
  }
  return null
}

/** Reading a field of a foreign error may throw. */
function readSafely(error: unknown): Fields {
  try {
    const { responseHeaders, lastError, cause } = fieldsIn(error)
    return { responseHeaders, lastError, cause }
  } catch {
    return {}
  }
}

// At most an hour, so that no header stops us for good.
const maxRetryAfterMs = 3_600_000

/**
 * `retry-after-ms`, or `retry-after` in seconds or as a date; null where neither can be read. The names of
 * headers are lower case.
 */
export function retryAfterMs(headers: Fields, now: number) {
  const exact = parseNumber(headers['retry-after-ms'])
  if (exact !== null) return bounded(exact)
  const header = headers['retry-after']
  const seconds = parseNumber(header)
  if (seconds !== null) return bounded(seconds * 1_000)
  const isDate = typeof header === 'string' && /[a-z]/i.test(header)
  const dateMs = isDate ? Date.parse(header) : Number.NaN
  return Number.isNaN(dateMs) ? null : bounded(dateMs - now)
}

function parseNumber(value: unknown): number | null {
  if (typeof value !== 'string' || !/^\s*\d{1,15}(?:\.\d{1,9})?\s*$/.test(value)) return null
  return Number(value)
}

function bounded(milliseconds: number): number {
  return Math.min(maxRetryAfterMs, Math.max(0, Math.ceil(milliseconds)))
}
