/** Cells of rows as what they have to be. A strict table keeps no other; a damaged file may hold one. */

import type { JsonObject } from '../../domain/json.ts'
import { type FilePart, type Part, roles, type ToolOutput } from '../../domain/message.ts'
import type { MessageBody } from '../../domain/sealed-message.ts'
import { ThroughlineError } from '../../errors.ts'
import type { Row } from './connection.ts'

export type Cell = Row[string] | undefined

export function changedOutside(what: string, cause?: unknown): ThroughlineError {
  return new ThroughlineError('STORE_CORRUPT', `${what} was changed from outside`, { cause })
}

function wholeCell(cell: Cell, what: string): number {
  const value = typeof cell === 'string' || cell === null ? Number.NaN : Number(cell)
  if (!Number.isSafeInteger(value)) throw changedOutside(what)
  return value
}

export function countCell(cell: Cell, what: string): number {
  const value = wholeCell(cell, what)
  if (value < 0) throw changedOutside(what)
  return value
}

/** What a clock can say: others are no date, and who writes them for people fails. */
export function timeCell(cell: Cell, what: string): number {
  const value = wholeCell(cell, what)
  if (Math.abs(value) > latestTime) throw changedOutside(what)
  return value
}

const latestTime = 8_640_000_000_000_000

export function textCell(cell: Cell, what: string): string {
  if (typeof cell !== 'string') throw changedOutside(what)
  return cell
}

export function textOrNullCell(cell: Cell, what: string): string | null {
  return cell === null || cell === undefined ? null : textCell(cell, what)
}

/** Some drivers hand out a Buffer; ours is the plain kind. */
export function bytesCell(cell: Cell, what: string): Uint8Array {
  if (!(cell instanceof Uint8Array)) throw changedOutside(what)
  return new Uint8Array(cell.buffer, cell.byteOffset, cell.byteLength)
}

/** JSON of a shape; null where the cell is. */
export function jsonCell<Value>(
  cell: Cell,
  what: string,
  isSound: (value: Value) => boolean,
): Value | null {
  if (cell === null || cell === undefined) return null
  let cause: unknown
  try {
    const value = JSON.parse(textCell(cell, what)) as Value
    if (isSound(value)) return value
  } catch (error) {
    cause = error
  }
  throw changedOutside(what, cause)
}

/** Whether a message has the shape that it was sealed with: everybody who reads it relies on that. */
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
