/**
 * The meaning of a message as one text: two messages that a provider would read
 * alike have the same canonical text, whatever client sent them.
 *
 * Left out is what clients move about or drop when they send a history again:
 * provider metadata (cache hints), reasoning, the spelling of JSON (spaces, key
 * order), keys, times and our own meta. A gateway finds a resent history in its
 * log by hashes of this text.
 */
import { canonicalJson } from './canonical-json.ts'
import { pieceCharacters, type Sha256, textPieces } from './hash.ts'
import type { FilePart, OpaquePart, Part, Role, TextPart, ToolOutput } from './message.ts'

/** Where a client may put or drop a hint without changing what the model reads. */
const hintKeys: ReadonlySet<string> = new Set(['cache_control', 'cacheControl', 'cachePoint'])

interface CanonicalMessage {
  readonly role: Role
  readonly author: string | null
  readonly parts: readonly Part[]
}

export function canonicalText(message: CanonicalMessage): string {
  return JSON.stringify(canonicalFields(message))
}

/** Of the canonical text, which is never whole in memory where the message is a giant. */
export function canonicalHash(message: CanonicalMessage, sha256: Sha256): string {
  const fields = canonicalFields(message)
  return sha256(hasLongText(fields) ? jsonPieces(fields) : JSON.stringify(fields))
}

function canonicalFields({ role, author, parts }: CanonicalMessage): readonly unknown[] {
  const shown = parts.flatMap((part) => {
    const fields = canonicalPart(part)
    return fields === null ? [] : [fields]
  })
  return [role, author, shown]
}

function hasLongText(value: unknown): boolean {
  if (typeof value === 'string') return value.length > pieceCharacters
  return Array.isArray(value) && value.some(hasLongText)
}

/** What JSON.stringify writes. */
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
      // Whole blocks of a provider may carry its hints; arguments and results are data.
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
