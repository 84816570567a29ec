/** Makes strings acceptable to every provider: well-formed, with short names. The log keeps the original. */
import type { ContextMessage } from '../../domain/context.ts'
import { shortHash } from '../../domain/hash.ts'
import { type JsonObject, type JsonValue, parseExactly } from '../../domain/json.ts'
import type { Part, TextPart, ToolResultPart } from '../../domain/message.ts'
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

function sanitizeMeta(meta: JsonObject | null): JsonObject | null {
  if (meta === null) return null
  const json = JSON.stringify(meta)
  const clean = wellFormedJson(json)
  return clean === json ? meta : (JSON.parse(clean) as JsonObject)
}

const maxNameCharacters = 128
// Room for `~`, the length, `~` and the hash.
const suffixCharacters = 28

/** Adds length and hash to a cut or repaired name, so that different names stay different. */
export function sanitizeName(name: string): string {
  if (name.length <= maxNameCharacters && name.isWellFormed()) return name
  const start = name.slice(0, maxNameCharacters - suffixCharacters).toWellFormed()
  return `${start}~${name.length}~${shortHash(name)}`
}

const cleanStrings: StringMaps = {
  text: (text) => text.toWellFormed(),
  json: wellFormedJson,
  id: sanitizeName,
  title: sanitizeName,
}

/** Signed and opaque parts cannot be repaired: they are sent unchanged or left out. */
function sanitizePart<AnyPart extends Part>(part: AnyPart): readonly AnyPart[] {
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

export function textResult(callId: string, name: string | null, text: string): ToolResultPart {
  const output = { kind: 'text', text } as const
  return { type: 'tool-result', callId, name, output, isError: false, metadata: null }
}

/** Replaces lone surrogates in JSON, also escaped ones; in broken JSON only those in the text. */
export function wellFormedJson(json: string): string {
  return mayContainLoneSurrogates(json) ? (sanitizeJson(json) ?? json.toWellFormed()) : json
}

/** A fast test that avoids parsing most JSON. */
export function mayContainLoneSurrogates(json: string): boolean {
  return !json.isWellFormed() || /\\u[dD][89a-fA-F]/.test(json)
}

/** Returns the same text if it has no lone surrogates, null if it cannot be parsed. */
export function sanitizeJson(json: string): string | null {
  let isChanged = false
  try {
    const value = parseExactly(json, (inner) => {
      if (typeof inner !== 'string' || inner.isWellFormed()) return sanitizeKeys(inner)
      isChanged = true
      return inner.toWellFormed()
    })
    return isChanged || !json.isWellFormed() ? JSON.stringify(value) : json
  } catch {
    return null
  }

  function sanitizeKeys(value: JsonValue): JsonValue {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    if (Object.keys(value).every((key) => key.isWellFormed())) return value
    isChanged = true
    const fields = new Map<string, JsonValue>()
    for (const [key, field] of Object.entries(value)) {
      let uniqueKey = key.toWellFormed()
      while (fields.has(uniqueKey)) uniqueKey = `${uniqueKey}~`
      fields.set(uniqueKey, field)
    }
    return Object.fromEntries(fields)
  }
}
