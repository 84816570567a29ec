/** Pieces that the readers of several formats make alike. */
import type { FileInput, OpaqueInput, TextInput, ToolOutputInput } from '../index.ts'
import type { JsonNode } from './json/raw-json.ts'

const base64 = /^[A-Za-z0-9+/]+={0,2}$/
const dataUrl = /^data:([^;,]+)((?:;[^;,]+)*?);base64,/

/** What a result of a tool may hold. */
export type PlainPart = TextInput | FileInput | OpaqueInput

export function textPart(text: string): TextInput {
  return { type: 'text', text }
}

/** What we do not know stays whole, as it came. */
export function opaquePart(kind: string, value: JsonNode): OpaqueInput {
  return { type: 'opaque', kind, json: value.exact() }
}

/** The same, of a block that says its type. */
export function unknownPart(format: string, block: JsonNode): OpaqueInput {
  return opaquePart(`${format}/${block.filled('type') ?? 'unknown'}`, block)
}

/** A file of base64 text, or null where the text is none. */
export function base64File(mediaType: string, data: string): FileInput | null {
  if (mediaType === '' || data.length % 4 !== 0 || !base64.test(data)) return null
  return { type: 'file', mediaType, data }
}

/** An address as a file. Bytes that stand in the address itself are taken out of it. */
export function fileAt(url: string, mediaType: string): FileInput | null {
  if (url === '') return null
  if (!url.startsWith('data:')) return { type: 'file', mediaType, url }
  const head = dataUrl.exec(url)
  return head === null ? null : base64File(head[1] ?? '', url.slice(head[0].length))
}

/** Content is a text, or a list of blocks that a format reads in its own way. */
export function contentParts<Part>(
  content: JsonNode,
  partOf: (block: JsonNode) => Part,
): (Part | TextInput)[] {
  return content.asText === null ? content.items.map(partOf) : [textPart(content.asText)]
}

/** One text is a text; anything else is the list that it came as. */
export function toolOutput(parts: readonly PlainPart[]): ToolOutputInput {
  const [first, second] = parts
  if (first === undefined) return { kind: 'text', text: '' }
  if (first.type === 'text' && second === undefined) return { kind: 'text', text: first.text }
  return { kind: 'parts', parts }
}
