/** Cells of rows as what they have to be. A strict table keeps no other; a damaged file may hold one. */
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
