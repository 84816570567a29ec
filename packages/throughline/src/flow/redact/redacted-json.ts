/** JSON text without its secrets. */
import type { Redact } from './redactor.ts'

/**
 * As it is written, for the names before the values; then each text in it, because an escaped
 * line end hides what begins a line. What is no JSON is redacted as it is written.
 */
export function redactedJson(json: string, redact: Redact): string {
  const written = redact(json)
  if (!written.includes('\\')) return written
  let isChanged = false
  const redactText = (_: string, value: unknown): unknown => {
    if (typeof value !== 'string') return value
    // Some clients write the JSON of arguments as a JSON text once more.
    const rest = /^\s*\{/.test(value) ? redactedJson(value, redact) : redact(value)
    isChanged ||= rest !== value
    return rest
  }
  try {
    const value: unknown = JSON.parse(written, redactText)
    // Numbers that parsing would change stay as they are where nothing has to go.
    return isChanged ? JSON.stringify(value) : written
  } catch {
    return written
  }
}
