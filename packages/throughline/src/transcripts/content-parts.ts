/** Parts that the readers of several formats share. */
import type { FileInput, OpaqueInput, TextInput, ToolOutputInput } from '../index.ts'
import type { JsonNode } from './json/raw-json.ts'

const base64 = /^[A-Za-z0-9+/]+={0,2}$/
const dataUrl = /^data:([^;,]+)((?:;[^;,]+)*?);base64,/

/** The parts of a tool result. */
export type PlainPart = TextInput | FileInput | OpaqueInput

export function textPart(text: string): TextInput {
  return { type: 'text', text }
}

/** Keeps an unknown block whole. */
export function opaquePart(kind: string, value: JsonNode): OpaqueInput {
  return { type: 'opaque', kind, json: value.exact() }
}

export function unknownPart(format: string, block: JsonNode): OpaqueInput {
  return opaquePart(`${format}/${block.filled('type') ?? 'unknown'}`, block)
}

/** Null where `data` is not base64. */
export function base64File(mediaType: string, data: string): FileInput | null {
  if (mediaType === '' || data.length % 4 !== 0 || !base64.test(data)) return null
  return { type: 'file', mediaType, data }
}

/** A data URL becomes a file with its bytes. */
export function fileAt(url: string, mediaType: string): FileInput | null {
  if (url === '') return null
  if (!url.startsWith('data:')) return { type: 'file', mediaType, url }
  const head = dataUrl.exec(url)
  return head === null ? null : base64File(head[1] ?? '', url.slice(head[0].length))
}

/** Content is a text, or a list of blocks. */
export function contentParts<Part>(content: JsonNode, partOf: (block: JsonNode) => Part) {
  return content.asText === null ? content.items.map(partOf) : [textPart(content.asText)]
}

export function toolOutput(parts: readonly PlainPart[]): ToolOutputInput {
  const [first, second] = parts
  if (first === undefined) return { kind: 'text', text: '' }
  if (first.type === 'text' && second === undefined) return { kind: 'text', text: first.text }
  return { kind: 'parts', parts }
}
