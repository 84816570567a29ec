/** What is checked of a message's body when a store reads it. */
import { type FileSource, type Part, roles, type ToolOutput } from './message.ts'
import type { MessageBody } from './sealed-message.ts'
import { number, objectOrNull, orNull, type Shape, text, variant } from './shape.ts'

const textOrNull = orNull<string>(text)
const numberOrNull = orNull<number>(number)

const part = (value: unknown): boolean => objectOrNull((value as Part).metadata) && anyPart(value)

const source = variant<FileSource, 'kind'>('kind', {
  stored: { sha256: text, sizeBytes: Number.isSafeInteger },
  url: { url: text },
})

const output = variant<ToolOutput, 'kind'>('kind', {
  text: { text },
  json: { json: text },
  parts: { parts: [part] },
})

const anyPart = variant<Part, 'type'>('type', {
  text: { text },
  reasoning: { text, signature: textOrNull },
  'tool-call': { callId: text, name: text, input: text },
  'tool-result': {
    callId: text,
    name: textOrNull,
    isError: (value: unknown) => typeof value === 'boolean',
    output,
  },
  file: {
    mediaType: text,
    name: textOrNull,
    source,
    width: numberOrNull,
    height: numberOrNull,
  },
  'resource-excerpt': { resourceId: text, text, title: textOrNull },
  'attachment-ref': { attachmentId: text, title: textOrNull },
  opaque: { kind: text, json: text },
})

export const bodyShape: Shape<MessageBody> = {
  role: (value: unknown) => roles.some((role) => role === value),
  author: textOrNull,
  status: (value: unknown) => value === 'complete' || value === 'incomplete',
  meta: objectOrNull,
  parts: [part],
}
