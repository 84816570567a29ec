/** Reads and checks cells of rows: a damaged file may have wrong types even in a strict table. */
import { bodyShape } from '../../domain/body-shapes-data.ts'
import { changedOutside, readValid } from '../../domain/derived-row.ts'
import { decodeBody, type MessageBody } from '../../domain/sealed-message.ts'
import { checkOf, isShaped, type Shape } from '../../domain/shape.ts'
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

export function jsonCell<Value>(cell: Cell, what: string, shape: Shape<Value>): Value | null {
  if (cell === null || cell === undefined) return null
  const isValid = (value: Value) => isShaped(shape, value)
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

const isValidBody = checkOf(bodyShape)
