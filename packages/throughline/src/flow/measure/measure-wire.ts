/**
 * An upper bound for the tokens of a message as JSON, in any provider's form. Until a provider has
 * reported its own count, no request may exceed this bound (invariant 6).
 *
 * A backslash can split a token and join its letter to the next word: at most three more tokens.
 * A control character becomes six characters. A text with many escapes is counted as JSON.
 */
import type { JsonObject } from '../../domain/json.ts'
import type { FilePart, Message, Part, Role } from '../../domain/message.ts'
import { frameTokens } from './measure-data.ts'
import { type Counting, isTextFile, outputTokens, partTokens, sumTokens } from './measure-parts.ts'

interface WireCounting extends Counting {
  /** Tokens of a text inside JSON, exact or as an upper bound. */
  jsonText(text: string): number
}

export type WireMessage = Pick<Message, 'author' | 'meta' | 'parts'> & {
  readonly role: Role | null
}

export function wireMessageTokens(message: WireMessage, counting: WireCounting): number {
  const { role, author, meta, parts } = message
  let tokens = frameTokens.message + metaTokens(meta, counting)
  if (author !== null) {
    tokens += frameTokens.author + counting.jsonText(author)
    // Adapters replace characters that a provider does not allow in a name, and append a hash.
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(author)) tokens += frameTokens.hash
  }
  // Some providers allow no system role between messages; adapters write it as a data block.
  if (role === 'system') tokens += frameTokens.block
  for (const part of parts) tokens += wirePartTokens(part, counting)
  return parts.length === 1 && parts[0]?.type === 'text' ? tokens - frameTokens.list : tokens
}

function wirePartTokens(part: Part, counting: WireCounting): number {
  const metadata = part.metadata === null ? 0 : counting.text(JSON.stringify(part.metadata))
  return metadata + framedTokens(part, counting)
}

function framedTokens(part: Part, counting: WireCounting): number {
  const texts = (...all: readonly (string | null)[]) => sumTokens(all, counting.jsonText)
  switch (part.type) {
    case 'text':
      return frameTokens.text + texts(part.text)
    case 'reasoning':
      return frameTokens.reasoning + texts(part.text, part.signature)
    case 'tool-call':
      // Some providers want the name again with the result.
      return frameTokens.toolCall + texts(part.callId, part.name, part.name, part.input)
    case 'tool-result':
      return (
        frameTokens.toolResult +
        texts(part.callId, part.name) +
        outputTokens(part.output, counting.jsonText, (inner) => wirePartTokens(inner, counting))
      )
    case 'file': {
      const url = part.source.kind === 'url' ? part.source.url : null
      const tokens = Math.max(partTokens(part, counting), plainTextTokens(part))
      return frameTokens.file + texts(part.mediaType, part.name, url) + tokens
    }
    case 'resource-excerpt':
      return frameTokens.block + texts(part.resourceId, part.title, part.text)
    case 'attachment-ref':
      return frameTokens.attachment + texts(part.attachmentId, part.title)
    case 'opaque':
      return frameTokens.opaque + Math.max(counting.text(part.json), partTokens(part, counting))
  }
}

/** Some adapters send the text of a text file: at worst one token for each byte. */
function plainTextTokens(part: FilePart): number {
  const { source } = part
  return source.kind === 'stored' && isTextFile(part)
    ? Math.ceil(source.sizeBytes * plainTokensPerByte)
    : 0
}

const plainTokensPerByte = 1.1

const splitTokens = 3
const unicodeEscapeTokens = 6
const manyEscapesRatio = 0.1

export function boundJsonTextTokens(text: string, count: (text: string) => number): number {
  let escapes = 0
  let extraTokens = 0
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    const isControl = code < 0x20
    if (!isControl && code !== quote && code !== backslash) continue
    escapes += 1
    if (!isControl) extraTokens += splitTokens
    else if (!shortEscapes.has(code)) extraTokens += unicodeEscapeTokens
    else if (!isLoneLineBreak(text, index)) extraTokens += splitTokens
  }
  if (escapes > text.length * manyEscapesRatio) return jsonTextTokens(text, count)
  // The quotes can split a token too.
  return count(text) + 1 + extraTokens
}

/** After a word and before punctuation, a line break is one token both raw and as JSON. */
function isLoneLineBreak(text: string, index: number): boolean {
  const before = text.charCodeAt(index - 1)
  const after = text.charCodeAt(index + 1)
  const isAfterWord = isLetter(before) || (before >= 0x30 && before <= 0x39)
  // Outside ASCII, `isLetter` does not recognise letters.
  const isBeforePunctuation = after > 0x20 && after < 0x7f && !isLetter(after)
  return text.charCodeAt(index) === newline && isAfterWord && isBeforePunctuation
}

function isLetter(code: number): boolean {
  const lowerCase = code | 0x20
  return lowerCase >= 0x61 && lowerCase <= 0x7a
}

const newline = 0x0a
const quote = 0x22
const backslash = 0x5c
/** \b \t \n \f \r */
const shortEscapes = new Set([0x08, 0x09, 0x0a, 0x0c, 0x0d])

export function jsonTextTokens(text: string, count: (text: string) => number): number {
  return count(JSON.stringify(text).slice(1, -1))
}

/** Adapters send these fields of `meta` back to the provider; other fields are never sent. */
const sentMetaKeys = ['openai', 'anthropic', 'google', 'aiSdk']

function metaTokens(meta: JsonObject | null, counting: WireCounting): number {
  if (meta === null) return 0
  const sent = sentMetaKeys.flatMap((key) => meta[key] ?? [])
  return sent.length === 0 ? 0 : counting.text(JSON.stringify(sent))
}
