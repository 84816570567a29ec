/** Pieces that the readers of several formats make alike. */
import type { FileInput, JsonValue, OpaqueInput, TextInput, ToolOutputInput } from '../index.ts'
import { isJsonList } from './json/json-access.ts'
import type { ExactText } from './json/raw-json.ts'

const base64 = /^[A-Za-z0-9+/]+={0,2}$/
const dataUrl = /^data:([^;,]+)((?:;[^;,]+)*?);base64,/

/** What a result of a tool may hold. */
export type PlainPart = TextInput | FileInput | OpaqueInput

export function textPart(text: string): TextInput {
  return { type: 'text', text }
}

export function opaquePart(kind: string, json: string): OpaqueInput {
  return { type: 'opaque', kind, json }
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
  content: JsonValue | undefined,
  exact: ExactText,
  partOf: (block: JsonValue, exact: () => string) => Part,
): (Part | TextInput)[] {
  if (typeof content === 'string') return [textPart(content)]
  if (!isJsonList(content)) return []
  return content.map((block, index) => partOf(block, () => exact(index)))
}

/** One text is a text; anything else is the list that it came as. */
export function toolOutput(parts: readonly PlainPart[]): ToolOutputInput {
  const [first, second] = parts
  if (first === undefined) return { kind: 'text', text: '' }
  if (first.type === 'text' && second === undefined) return { kind: 'text', text: first.text }
  return { kind: 'parts', parts }
}
