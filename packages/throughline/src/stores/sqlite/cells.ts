/** Reads and checks cells of rows: a damaged file may have wrong types even in a strict table. */
import { changedOutside, readValid } from '../../domain/derived-row.ts'
import { type FilePart, type Part, roles, type ToolOutput } from '../../domain/message.ts'
import { decodeBody, type MessageBody } from '../../domain/sealed-message.ts'
import type { Row } from './connection.ts'

export { changedOutside }

export type Cell = Row[string] | undefined

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

/** Larger values are no date: formatting them would throw. */
export function timeCell(cell: Cell, what: string): number {
  const value = wholeCell(cell, what)
  if (Math.abs(value) > maxTime) throw changedOutside(what)
  return value
}

const maxTime = 8_640_000_000_000_000

export function textCell(cell: Cell, what: string): string {
  if (typeof cell !== 'string') throw changedOutside(what)
  return cell
}

export function textOrNullCell(cell: Cell, what: string): string | null {
  return cell === null || cell === undefined ? null : textCell(cell, what)
}

/** Some drivers return a Buffer; callers get a plain Uint8Array. */
export function bytesCell(cell: Cell, what: string): Uint8Array {
  if (!(cell instanceof Uint8Array)) throw changedOutside(what)
  return new Uint8Array(cell.buffer, cell.byteOffset, cell.byteLength)
}

export function hexCell(cell: Cell): string {
  const { buffer, byteOffset, byteLength } = bytesCell(cell, 'a hash')
  return Buffer.from(buffer, byteOffset, byteLength).toString('hex')
}

export function hexBytes(text: string): Uint8Array {
  return Buffer.from(text, 'hex')
}

export function jsonCell<Value>(
  cell: Cell,
  what: string,
  isValid: (value: Value) => boolean,
): Value | null {
  if (cell === null || cell === undefined) return null
  return readValid(what, isValid, () => JSON.parse(textCell(cell, what)) as Value)
}

/** Null for an empty list: most messages have no marks, and most conversations no pins. */
export function encodeList(items: readonly unknown[]): string | null {
  return items.length === 0 ? null : JSON.stringify(items)
}

/** From the cells `body` and `origin`. */
export function bodyCells({ body, origin }: Row, what: string): MessageBody {
  const origins = textOrNullCell(origin, what)
  return readValid(what, isValidBody, () => decodeBody(textCell(body, what), origins))
}

function isValidBody({ role, author, parts, status, meta }: MessageBody): boolean {
  return (
    roles.includes(role) &&
    isTextOrNull(author) &&
    (status === 'complete' || status === 'incomplete') &&
    isObjectOrNull(meta) &&
    parts.every(isValidPart)
  )
}

function isValidPart(part: Part): boolean {
  return isObjectOrNull(part.metadata) && (validatorOfType.get(part.type)?.(part as never) ?? false)
}

const validators: {
  readonly [Type in Part['type']]: (part: Part & { readonly type: Type }) => boolean
} = {
  text: ({ text }) => isText(text),
  reasoning: ({ text, signature }) => isText(text) && isTextOrNull(signature),
  'tool-call': ({ callId, name, input }) => [callId, name, input].every(isText),
  'tool-result': ({ callId, name, isError, output }) =>
    isText(callId) && isTextOrNull(name) && typeof isError === 'boolean' && isValidOutput(output),
  file: isValidFile,
  'resource-excerpt': ({ resourceId, text, title }) =>
    [resourceId, text].every(isText) && isTextOrNull(title),
  'attachment-ref': ({ attachmentId, title }) => isText(attachmentId) && isTextOrNull(title),
  opaque: ({ kind, json }) => [kind, json].every(isText),
}
const validatorOfType = new Map<string, (part: never) => boolean>(Object.entries(validators))

function isValidOutput(output: ToolOutput): boolean {
  switch (output.kind) {
    case 'text':
      return isText(output.text)
    case 'json':
      return isText(output.json)
    case 'parts':
      return output.parts.every(isValidPart)
    default:
      return false
  }
}

function isValidFile({ mediaType, name, source, width, height }: FilePart): boolean {
  const isSourceValid =
    source.kind === 'stored'
      ? isText(source.sha256) && Number.isSafeInteger(source.sizeBytes)
      : source.kind === 'url' && isText(source.url)
  const isSize = (size: unknown) => size === null || typeof size === 'number'
  return isText(mediaType) && isTextOrNull(name) && isSourceValid && [width, height].every(isSize)
}

export function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function isTextOrNull(value: unknown): boolean {
  return value === null || isText(value)
}

export function isObjectOrNull(value: unknown): boolean {
  return value === null || (typeof value === 'object' && !Array.isArray(value))
}

export function isListOf<Item>(items: readonly Item[], isValid: (item: Item) => boolean): boolean {
  return Array.isArray(items) && items.every(isValid)
}

export function isNumberList(value: readonly number[]): boolean {
  return isListOf(value, (each) => typeof each === 'number')
}
