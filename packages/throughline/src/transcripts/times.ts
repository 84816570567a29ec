/** Times in milliseconds since 1970. Without a zone they are UTC, so that a file reads alike everywhere. */
import type { JsonValue } from '../index.ts'
import { timeFields } from './formats-data.ts'
import type { JsonNode } from './json/raw-json.ts'

const isoWithoutZone = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/
/** `2023/05/20 (Sat) 02:21` */
const slashedDate = /^(\d{4})\/(\d{1,2})\/(\d{1,2})(?: \(\w+\))?(?: (\d{1,2}):(\d{2}))?$/
/** `1:56 pm on 8 May, 2023` */
const englishTime = /^(\d{1,2}):(\d{2}) ?([ap]m) on (\d{1,2}) (\w+),? (\d{4})$/i
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

export function timeOf(value: JsonValue | undefined): number | undefined {
  if (typeof value === 'number') return validTime(Math.round(value))
  if (typeof value !== 'string') return undefined
  return slashedTime(value) ?? parseEnglishTime(value) ?? isoTime(value)
}

/** A number of seconds, with a fraction. */
export function secondsOf(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' ? timeOf(value * 1_000) : undefined
}

function isoTime(text: string): number | undefined {
  return validTime(Date.parse(isoWithoutZone.test(text) ? `${text.replace(' ', 'T')}Z` : text))
}

function slashedTime(text: string): number | undefined {
  const found = slashedDate.exec(text)
  if (found === null) return undefined
  const [year, month, day, hour, minute] = found.slice(1).map((piece) => Number(piece ?? 0))
  return validTime(Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour ?? 0, minute ?? 0))
}

function parseEnglishTime(text: string): number | undefined {
  const found = englishTime.exec(text)
  if (found === null) return undefined
  const month = months.indexOf((found[5] ?? '').slice(0, 3).toLowerCase())
  if (month < 0) return undefined
  const hour = (Number(found[1]) % 12) + (found[3]?.toLowerCase() === 'pm' ? 12 : 0)
  return validTime(Date.UTC(Number(found[6]), month, Number(found[4]), hour, Number(found[2])))
}

/** The engine refuses negative and absurd times. */
function validTime(time: number): number | undefined {
  return Number.isSafeInteger(time) && time >= 0 ? time : undefined
}

const numberText = /^\d{9,16}(?:\.\d+)?$/

/** The first time field that parses. */
export function messageTime(message: JsonNode): number | undefined {
  for (const field of timeFields) {
    const time = timeInAnyUnit(message.get(field))
    if (time !== undefined) return time
  }
  return undefined
}

function timeInAnyUnit(value: JsonValue | undefined): number | undefined {
  if (typeof value === 'string' && numberText.test(value))
    return timeOf(toMilliseconds(Number(value)))
  return timeOf(typeof value === 'number' ? toMilliseconds(value) : value)
}

/** Present times in seconds, milliseconds and microseconds are far apart. */
function toMilliseconds(time: number): number {
  if (time < 1e11) return time * 1_000
  return time < 1e14 ? time : time / 1_000
}
