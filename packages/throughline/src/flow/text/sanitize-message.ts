/**
 * Makes strings acceptable to every provider: well-formed Unicode, names and ids of limited
 * length. The log keeps the original.
 */
import type { ContextMessage } from '../../domain/context.ts'
import { shortHash } from '../../domain/hash.ts'
import { type JsonObject, type JsonValue, parseExactly } from '../../domain/json.ts'
import type { Part, TextPart } from '../../domain/message.ts'
import { areSameParts, mapStrings, type StringMaps } from './map-strings.ts'

/** Returns the same object if nothing needs a repair. */
export function sanitizeMessage(message: ContextMessage): ContextMessage {
  if (knownClean.has(message.parts) && message.author === null && message.meta === null)
    return message
  const author = message.author === null ? null : sanitizeName(message.author)
  const meta = sanitizeMeta(message.meta)
  const parts = message.parts.flatMap(sanitizePart)
  const hasSameParts = areSameParts(parts, message.parts)
  if (author !== message.author || meta !== message.meta || !hasSameParts)
    return { ...message, author, parts, meta }
  knownClean.add(message.parts)
  return message
}

// Messages of the log never change and are in many requests.
const knownClean = new WeakSet<readonly Part[]>()

const nameCharacters = 128

function sanitizeMeta(meta: JsonObject | null): JsonObject | null {
  if (meta === null) return null
  const json = JSON.stringify(meta)
  if (!mayContainLoneSurrogates(json)) return meta
  const clean = sanitizeJson(json)
  return clean === null || clean === json ? meta : (JSON.parse(clean) as JsonObject)
}

/** Adds length and hash to a cut or repaired name, so that different names stay different. */
export function sanitizeName(name: string): string {
  if (name.length <= nameCharacters && name.isWellFormed()) return name
  return `${name.slice(0, nameCharacters - 28).toWellFormed()}~${name.length}~${shortHash(name)}`
}

const cleanStrings: StringMaps = {
  text: (text) => text.toWellFormed(),
  json: (text) =>
    mayContainLoneSurrogates(text) ? (sanitizeJson(text) ?? text.toWellFormed()) : text,
  id: sanitizeName,
  title: sanitizeName,
  url: (url) => url.toWellFormed(),
}

/** Signed and opaque parts cannot be repaired: they are sent unchanged or left out. */
function sanitizePart<Whole extends Part>(part: Whole): readonly Whole[] {
  if (part.type === 'opaque') return sanitizeJson(part.json) === part.json ? [part] : []
  if (part.type === 'reasoning' && part.signature !== null)
    return part.text.isWellFormed() && part.signature.isWellFormed() ? [part] : []
  const clean = mapStrings(part, cleanStrings, sanitizePart)
  const metadata = sanitizeMeta(part.metadata)
  return [metadata === part.metadata ? clean : { ...clean, metadata }]
}

export function textPart(text: string): TextPart {
  return { type: 'text', text, metadata: null }
}

/**
 * Replaces lone surrogates in JSON, also escaped ones. Returns the same text if there are none,
 * null if it cannot be parsed.
 */
export function sanitizeJson(text: string): string | null {
  let broken = false
  try {
    const value = parseExactly(text, (inner) => {
      if (typeof inner !== 'string' || inner.isWellFormed()) return sanitizeKeys(inner)
      broken = true
      return inner.toWellFormed()
    })
    return broken || !text.isWellFormed() ? JSON.stringify(value) : text
  } catch {
    return null
  }

  function sanitizeKeys(value: JsonValue): JsonValue {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    if (Object.keys(value).every((key) => key.isWellFormed())) return value
    broken = true
    const fields = new Map<string, JsonValue>()
    for (const [key, of] of Object.entries(value)) {
      let free = key.toWellFormed()
      while (fields.has(free)) free = `${free}~`
      fields.set(free, of)
    }
    return Object.fromEntries(fields)
  }
}

/** A fast test that avoids parsing most JSON. */
export function mayContainLoneSurrogates(text: string): boolean {
  return !text.isWellFormed() || surrogateEscape.test(text)
}

const surrogateEscape = /\\u[dD][89a-fA-F]/
