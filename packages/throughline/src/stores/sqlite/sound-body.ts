/** Whether a message has the shape that it was sealed with: everybody who reads it relies on that. */
import type { JsonObject } from '../../domain/json.ts'
import { type FilePart, type Part, roles, type ToolOutput } from '../../domain/message.ts'
import type { MessageBody } from '../../domain/message-body.ts'

export function isSoundBody({ role, author, parts, status, meta }: MessageBody): boolean {
  return (
    roles.includes(role) &&
    isTextOrNull(author) &&
    (status === 'complete' || status === 'incomplete') &&
    isObjectOrNull(meta) &&
    parts.every(isSoundPart)
  )
}

function isSoundPart(part: Part): boolean {
  if (!isObjectOrNull(part.metadata)) return false
  switch (part.type) {
    case 'text':
      return isText(part.text)
    case 'reasoning':
      return isText(part.text) && isTextOrNull(part.signature)
    case 'tool-call':
      return [part.callId, part.name, part.input].every(isText)
    case 'tool-result':
      return (
        isText(part.callId) &&
        isTextOrNull(part.name) &&
        typeof part.isError === 'boolean' &&
        isSoundOutput(part.output)
      )
    case 'file':
      return isSoundFile(part)
    case 'resource-excerpt':
      return [part.resourceId, part.text].every(isText) && isTextOrNull(part.title)
    case 'attachment-ref':
      return isText(part.attachmentId) && isTextOrNull(part.title)
    case 'opaque':
      return [part.kind, part.json].every(isText)
    default:
      return false
  }
}

function isSoundOutput(output: ToolOutput): boolean {
  switch (output.kind) {
    case 'text':
      return isText(output.text)
    case 'json':
      return isText(output.json)
    case 'parts':
      return output.parts.every(isSoundPart)
    default:
      return false
  }
}

function isSoundFile({ mediaType, name, source, width, height }: FilePart): boolean {
  const isSourceSound =
    source.kind === 'stored'
      ? isText(source.sha256) && Number.isSafeInteger(source.sizeBytes)
      : source.kind === 'url' && isText(source.url)
  return isText(mediaType) && isTextOrNull(name) && isSourceSound && [width, height].every(isSize)
}

function isSize(value: number | null): boolean {
  return value === null || typeof value === 'number'
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function isTextOrNull(value: unknown): boolean {
  return value === null || isText(value)
}

function isObjectOrNull(value: JsonObject | null): boolean {
  return value === null || (typeof value === 'object' && !Array.isArray(value))
}
