/**
 * How long a provider asks to be left alone: `retry-after-ms`, or `retry-after` in seconds or
 * as a date. Anything longer than an hour is an hour, so that no header stops us for good.
 */
const longestMs = 3_600_000

/** Null where nothing is said, or nothing that can be read. The names of headers are lower case. */
export function retryAfterMs(
  headers: Readonly<Record<string, unknown>>,
  now: number,
): number | null {
  const exact = amount(headers['retry-after-ms'])
  if (exact !== null) return bounded(exact)
  const given = headers['retry-after']
  const seconds = amount(given)
  if (seconds !== null) return bounded(seconds * 1_000)
  const date = typeof given === 'string' && /[a-z]/i.test(given) ? Date.parse(given) : Number.NaN
  return Number.isNaN(date) ? null : bounded(date - now)
}

function amount(value: unknown): number | null {
  if (typeof value !== 'string' || !/^\s*\d{1,15}(?:\.\d{1,9})?\s*$/.test(value)) return null
  return Number(value)
}

function bounded(milliseconds: number): number {
  return Math.min(longestMs, Math.max(0, Math.ceil(milliseconds)))
}
