/**
 * A message whose strings no provider refuses: well-formed Unicode, and names and ids
 * of a length that somebody could have meant. The log keeps what came; this is what
 * is shown.
 */
import type { ContextMessage } from '../../domain/context.ts'
import { parseExactly } from '../../domain/exact-json.ts'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import type { Part, TextPart, ToolOutput } from '../../domain/message.ts'
import { shortHash } from '../../domain/short-hash.ts'

/** The same object where nothing had to be mended. */
export function sanitizeMessage(message: ContextMessage): ContextMessage {
  if (knownClean.has(message.parts) && message.author === null && message.meta === null)
    return message
  const author = message.author === null ? null : sanitizeName(message.author)
  const meta = sanitizeMeta(message.meta)
  const parts = message.parts.flatMap(sanitizePart)
  const same =
    author === message.author &&
    meta === message.meta &&
    parts.length === message.parts.length &&
    parts.every((part, at) => part === message.parts[at])
  if (!same) return { ...message, author, parts, meta }
  knownClean.add(message.parts)
  return message
}

// Messages of a log are shown again and again, and never change.
const knownClean = new WeakSet<readonly Part[]>()

const nameCharacters = 128

function sanitizeMeta(meta: JsonObject | null): JsonObject | null {
  if (meta === null) return null
  const json = JSON.stringify(meta)
  if (!mayHideHalves(json)) return meta
  const sound = sanitizeJson(json)
  return sound === null || sound === json ? meta : (JSON.parse(sound) as JsonObject)
}

/** Those that are cut or mended are told apart by their length and their hash. */
export function sanitizeName(name: string): string {
  if (name.length <= nameCharacters && name.isWellFormed()) return name
  return `${name.slice(0, nameCharacters - 28).toWellFormed()}~${name.length}~${shortHash(name)}`
}

function sanitizeText(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed()
}

function soundJsonText(text: string): string {
  return mayHideHalves(text) ? (sanitizeJson(text) ?? sanitizeText(text)) : text
}

/** Sealed parts cannot be mended: they are sent as they came, or not. */
function sanitizePart<Whole extends Part>(part: Whole): readonly Whole[] {
  if (part.type === 'opaque') return isSealIntact(part.json) ? [part] : []
  if (part.type === 'reasoning' && part.signature !== null)
    return part.text.isWellFormed() && part.signature.isWellFormed() ? [part] : []
  const metadata = sanitizeMeta(part.metadata)
  const text = mended(part)
  const fixed = metadata === part.metadata ? text : { ...text, metadata }
  // A part only loses halves of characters: it stays of its type.
  return [fixed === null ? part : ({ ...part, ...fixed } as Whole)]
}

function isSealIntact(json: string): boolean {
  return sanitizeJson(json) === json
}

function mended(part: Part): Partial<Part> | null {
  switch (part.type) {
    case 'text':
      return changed({ text: part.text }, { text: sanitizeText(part.text) })
    case 'reasoning':
      return changed({ text: part.text }, { text: sanitizeText(part.text) })
    case 'tool-call':
      return changed(
        { callId: part.callId, name: part.name, input: part.input },
        {
          callId: sanitizeName(part.callId),
          name: sanitizeName(part.name),
          input: soundJsonText(part.input),
        },
      )
    case 'tool-result':
      return changed(
        { callId: part.callId, name: part.name, output: part.output },
        {
          callId: sanitizeName(part.callId),
          name: part.name === null ? null : sanitizeName(part.name),
          output: sanitizeOutput(part.output),
        },
      )
    case 'file':
      return changed(
        { name: part.name, mediaType: part.mediaType, source: part.source },
        {
          name: part.name === null ? null : sanitizeName(part.name),
          mediaType: sanitizeName(part.mediaType),
          source:
            part.source.kind === 'stored' || part.source.url.isWellFormed()
              ? part.source
              : { kind: 'url', url: part.source.url.toWellFormed() },
        },
      )
    case 'resource-excerpt':
      return changed(
        { resourceId: part.resourceId, title: part.title, text: part.text },
        {
          resourceId: sanitizeName(part.resourceId),
          title: part.title === null ? null : sanitizeName(part.title),
          text: sanitizeText(part.text),
        },
      )
    case 'attachment-ref':
      return changed(
        { attachmentId: part.attachmentId, title: part.title },
        {
          attachmentId: sanitizeName(part.attachmentId),
          title: part.title === null ? null : sanitizeName(part.title),
        },
      )
    case 'opaque':
      return null
  }
}

function changed<Fields extends object>(before: Fields, behind: Fields): Fields | null {
  const names = Object.keys(before) as (keyof Fields)[]
  return names.every((name) => before[name] === behind[name]) ? null : behind
}

function sanitizeOutput(output: ToolOutput): ToolOutput {
  switch (output.kind) {
    case 'text':
      return output.text.isWellFormed() ? output : { kind: 'text', text: sanitizeText(output.text) }
    case 'json':
      return changed({ json: output.json }, { json: soundJsonText(output.json) }) === null
        ? output
        : { kind: 'json', json: soundJsonText(output.json) }
    case 'parts': {
      const parts = output.parts.flatMap((part): typeof output.parts => sanitizePart(part))
      const same = parts.length === output.parts.length
      return same && parts.every((part, at) => part === output.parts[at])
        ? output
        : { kind: 'parts', parts }
    }
  }
}

export function textPart(text: string): TextPart {
  return { type: 'text', text, metadata: null }
}

/** The same text where nothing is wrong with it; null where it cannot be read. */
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

/** Whether a look at the values is needed at all. */
export function mayHideHalves(text: string): boolean {
  return !text.isWellFormed() || halfEscape.test(text)
}

const halfEscape = /\\u[dD][89a-fA-F]/

/** Whether nothing was changed: the very same parts, in their order. */
export function areSameParts(parts: readonly Part[], before: readonly Part[]): boolean {
  return parts.length === before.length && parts.every((part, at) => part === before[at])
}
