import { canonicalJson } from './json.ts'
import type { FilePart, OpaquePart, Part, Role, TextPart, ToolOutput } from './message.ts'

/** SHA-256 of bytes, or of text as UTF-8, whole or in pieces; lower-case hexadecimal. */
export type Sha256 = (data: Uint8Array | string | Iterable<string>) => string

/** A long text in pieces, to avoid a copy of it; no piece ends inside a character. */
export function* textPieces(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const maxEnd = start + pieceCharacters
    const end = isHighSurrogate(text.charCodeAt(maxEnd - 1)) ? maxEnd - 1 : maxEnd
    yield text.slice(start, end)
    start = end
  }
}

/** From here on a copy of a text is worth avoiding. */
export const pieceCharacters = 32_768

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00
}

/** A short name for a text: 64 bits in 14 letters and digits. Not safe against attackers. */
export function shortHash(text: string, salt = 0): string {
  // FNV-1a in two lanes.
  let low = 0x811c9dc5 ^ salt
  let high = 0x1b873593 ^ (salt * 31)
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    low = Math.imul(low ^ code, 0x01000193)
    high = Math.imul(high ^ code, 0x85ebca6b)
  }
  return `${base36(low)}${base36(high)}`
}

function base36(value: number): string {
  return (value >>> 0).toString(36).padStart(7, '0')
}

/** Cache hints, which a client may add or drop without changing what the model reads. */
const hintKeys: ReadonlySet<string> = new Set(['cache_control', 'cacheControl', 'cachePoint'])

interface CanonicalMessage {
  readonly role: Role
  readonly author: string | null
  readonly parts: readonly Part[]
}

export function canonicalText(message: CanonicalMessage): string {
  return JSON.stringify(canonicalFields(message))
}

/** The canonical text of a giant message is never whole in memory. */
export function canonicalHash(message: CanonicalMessage, sha256: Sha256): string {
  const fields = canonicalFields(message)
  return sha256(hasLongText(fields) ? jsonPieces(fields) : JSON.stringify(fields))
}

function canonicalFields({ role, author, parts }: CanonicalMessage): readonly unknown[] {
  return [role, author, parts.map(canonicalPart).filter((part) => part !== null)]
}

/**
 * The text by which a client's copy of messages is recognized. Beyond the canonical form, white space at the end
 * of a text does not count, and consecutive messages of the model count as one: clients split answers and put
 * them together.
 */
export function comparisonText(messages: readonly CanonicalMessage[]): string {
  const [first] = messages
  const parts = messages.flatMap(canonicalPartsOf)
  const isModel = first?.role === 'assistant'
  const compared = (isModel ? withJoinedTexts(parts) : parts).map(withoutEndSpace)
  return JSON.stringify([first?.role, first?.author, compared.filter(([, text]) => text !== '')])
}

function canonicalPartsOf({ parts }: CanonicalMessage): readonly CanonicalPart[] {
  return parts.map(canonicalPart).filter((part) => part !== null)
}

type CanonicalPart = readonly unknown[]

function withJoinedTexts(parts: readonly CanonicalPart[]): readonly CanonicalPart[] {
  const joined: CanonicalPart[] = []
  for (const part of parts) {
    const [type, text] = part
    const last = joined.at(-1)
    if (type === 'text' && last?.[0] === 'text')
      joined[joined.length - 1] = ['text', `${last[1]}${text}`]
    else joined.push(part)
  }
  return joined
}

/** The canonical hash without white space at the end of texts, which clients add and drop. */
export function spellingHash(
  message: CanonicalMessage & { readonly hashes: { readonly canonical: string } },
  sha256: Sha256,
): string {
  const parts = canonicalPartsOf(message)
  const isSame = parts.every((part) => withoutEndSpace(part) === part)
  return isSame ? message.hashes.canonical : sha256(spellingText(message))
}

/** The canonical text without white space at the end of texts. */
export function spellingText(message: CanonicalMessage): string {
  const { role, author } = message
  return JSON.stringify([role, author, canonicalPartsOf(message).map(withoutEndSpace)])
}

/** The same part where there is nothing to drop. */
function withoutEndSpace(part: CanonicalPart): CanonicalPart {
  const [type, text, isError, output] = part
  if (type === 'text' && typeof text === 'string') {
    const trimmed = text.trimEnd()
    return trimmed === text ? part : [type, trimmed]
  }
  if (type !== 'tool-result' || !Array.isArray(output)) return part
  const trimmed = output.map(withoutEndSpace)
  return trimmed.every((each, at) => each === output[at]) ? part : [type, text, isError, trimmed]
}

function hasLongText(value: unknown): boolean {
  if (typeof value === 'string') return value.length > pieceCharacters
  return Array.isArray(value) && value.some(hasLongText)
}

function* jsonPieces(value: unknown): Generator<string> {
  if (Array.isArray(value)) {
    yield '['
    for (const [index, item] of value.entries()) {
      if (index > 0) yield ','
      yield* jsonPieces(item)
    }
    yield ']'
  } else if (typeof value === 'string') {
    yield '"'
    for (const piece of textPieces(value)) yield JSON.stringify(piece).slice(1, -1)
    yield '"'
  } else yield JSON.stringify(value)
}

function canonicalPart(part: Part): readonly unknown[] | null {
  switch (part.type) {
    case 'text':
    case 'file':
    case 'opaque':
      return canonicalLeaf(part)
    case 'reasoning':
      return null
    case 'tool-call':
      return ['tool-call', part.callId, part.name, canonicalJson(part.input)]
    case 'tool-result':
      return ['tool-result', part.callId, part.isError, canonicalOutput(part.output)]
    case 'resource-excerpt':
      return ['resource-excerpt', part.resourceId, part.text]
    case 'attachment-ref':
      return ['attachment-ref', part.attachmentId]
  }
}

function canonicalLeaf(part: TextPart | FilePart | OpaquePart): readonly unknown[] {
  switch (part.type) {
    case 'text':
      return ['text', part.text]
    case 'file':
      return part.source.kind === 'stored'
        ? ['file', 'stored', part.source.sha256]
        : ['file', 'url', part.source.url]
    case 'opaque':
      // A provider's own blocks may carry its hints; arguments and results are data.
      return ['opaque', part.kind, canonicalJson(part.json, hintKeys)]
  }
}

/** A text result is one text part: clients turn one into the other. */
function canonicalOutput(output: ToolOutput): readonly unknown[] {
  switch (output.kind) {
    case 'text':
      return [['text', output.text]]
    case 'json':
      return [['json', canonicalJson(output.json)]]
    case 'parts':
      return output.parts.map(canonicalLeaf)
  }
}
