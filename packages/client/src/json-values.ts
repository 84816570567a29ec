/** Values that JSON has no form for: bytes become base64, and errors plain objects. */
import { ThroughlineError } from 'throughline'

/** Bytes of files become base64 text, as the engine takes it; `raw` bytes become their text. */
export function jsonOf(value: object): string {
  return JSON.stringify(value, function (this: unknown, name, member: unknown) {
    // JSON.stringify calls toJSON first, which a Buffer has.
    const given: unknown = (this as Readonly<Record<string, unknown>>)[name]
    if (!(given instanceof Uint8Array)) return member
    return name === 'raw' ? textOf(given) : base64Of(given)
  })
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    const message = 'raw: bytes that are not UTF-8 text cannot be sent to a server'
    throw new ThroughlineError('MESSAGE_INVALID', message, { cause })
  }
}

/** In pieces, because a call takes only so many arguments. */
function base64Of(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += 0x8000)
    binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(binary)
}

export function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
}

const deepest = 6
const mostItems = 20
const mostCharacters = 4_000
/** What an error of a client library has of the request: it may quote keys and messages. */
const ofRequest = /^(?:request|config|options|headers|requestBodyValues|stack)$/

/** An error with its causes, as far as it is about the answer of a provider. */
export function plainError(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.slice(0, mostCharacters)
  if (typeof value !== 'object' || value === null)
    return typeof value === 'number' || typeof value === 'boolean' ? value : null
  if (depth === deepest) return null
  if (Array.isArray(value))
    return value.slice(0, mostItems).map((item) => plainError(item, depth + 1))
  const own = value instanceof Error ? ['name', 'message', 'cause'] : []
  const names = [...new Set([...own, ...Object.keys(value)])].filter(
    (name) => !ofRequest.test(name),
  )
  return Object.fromEntries(
    names
      .slice(0, mostItems)
      .map((name) => [
        name,
        plainError((value as Readonly<Record<string, unknown>>)[name], depth + 1),
      ]),
  )
}
