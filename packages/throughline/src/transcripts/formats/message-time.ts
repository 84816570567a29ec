/** When a message was said, as people write it into logs of their own. */
import type { JsonValue } from '../../index.ts'
import { fieldOf } from '../json/json-access.ts'
import { timeOf } from '../times.ts'

const timeFields = ['timestamp', 'created_at', 'createdAt', 'ts', 'time'] as const

/** A number in quotes. */
const quoted = /^\d{9,16}(?:\.\d+)?$/

/** The first that is one. */
export function messageTime(message: JsonValue): number | undefined {
  for (const field of timeFields) {
    const time = momentOf(fieldOf(message, field))
    if (time !== undefined) return time
  }
  return undefined
}

function momentOf(value: JsonValue | undefined): number | undefined {
  if (typeof value === 'string' && quoted.test(value)) return timeOf(milliseconds(Number(value)))
  return timeOf(typeof value === 'number' ? milliseconds(value) : value)
}

/** Seconds, milliseconds and microseconds of our days are far from each other. */
function milliseconds(given: number): number {
  if (given < 1e11) return given * 1_000
  return given < 1e14 ? given : given / 1_000
}
