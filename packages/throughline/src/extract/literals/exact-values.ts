/**
 * Finds values that only an exact copy gets right: hashes, ids, long numbers, versions, addresses,
 * paths. Stricter than the other readers: a possible word, count or unit is no value here.
 */
import {
  countedKeys,
  exactDecimal,
  exactEmail,
  exactUuid,
  exactVersion,
  groupedDigits,
  issueKey,
  letter,
  prefixedKey,
  standards,
} from './literal-forms-data.ts'
import { eachRun, runAlphabet } from './literal-runs.ts'

type NameKind = 'path' | 'url' | 'email' | 'version' | 'uuid' | 'key'
export type ExactValueKind = NameKind | 'hash' | 'id' | 'number'

export interface ExactValue {
  readonly kind: ExactValueKind
  readonly text: string
  readonly at: number
}

export function exactValuesIn(text: string): readonly ExactValue[] {
  const groups = groupedNumbersIn(text).filter((group) => digitsOf(group.text).length >= minDigits)
  const values = groups.map(
    ({ text: digits, at }): ExactValue => ({ kind: 'number', text: digits, at }),
  )
  let next = 0
  for (const run of runsIn(text)) {
    while ((groups[next]?.to ?? run.at + 1) <= run.at) next += 1
    const isInGroup = run.at >= (groups[next]?.at ?? run.at + 1)
    if (!isInGroup) values.push(...valuesOfRun(run, text))
  }
  return values.sort((one, other) => one.at - other.at)
}

function digitsOf(number: string): string {
  return number.replace(/\D/g, '')
}

/** The text around a run shows whether words joined by slashes are a path. */
export function valuesOfRun(run: Run, text: string): readonly ExactValue[] {
  if (run.text.includes('/')) {
    const kind = slashedKind(run, text)
    if (kind !== null) return [{ kind, text: run.text, at: run.at }]
  }
  let next = run.at
  return run.text.split('/').flatMap((segment) => {
    const at = next
    next += segment.length + 1
    return segment.length > 3 ? valuesOfSegment(segment, at) : []
  })
}

function slashedKind(run: Run, text: string): 'path' | 'url' | null {
  const segments = segmentsOf(run.text)
  if (run.text.startsWith('//'))
    return text[run.at - 1] === ':' && segments.length > 0 ? 'url' : null
  if (segments.length < 2 || !segments.some((segment) => /[A-Za-z\u00c0-\u052f]{2}/.test(segment)))
    return null
  // Units such as `12.5/s` and compared numbers are no folders.
  if (/^[\d.,+-]/.test(run.text) && !/^\.{1,2}\//.test(run.text) && !/^\.[a-z]/i.test(run.text))
    return null
  const isQuoted =
    /[`"'(]/.test(text[run.at - 1] ?? '') && /[`"')]/.test(text[run.at + run.text.length] ?? '')
  const isRooted =
    /^(?:\/|~\/|\.{1,2}\/)/.test(run.text) && !/[\w)\]}>*]/.test(text[run.at - 1] ?? '')
  const hasEnding = /[A-Za-z0-9_)\]]\.[A-Za-z][A-Za-z0-9]{0,9}$/.test(segments.at(-1) ?? '')
  const isFolder = run.text.endsWith('/') && segments.length > 2
  return isRooted || hasEnding || isFolder || (isQuoted && segments.length > 2) ? 'path' : null
}

function valuesOfSegment(segment: string, at: number): readonly ExactValue[] {
  if (exactEmail.test(segment)) return [{ kind: 'email', text: segment, at }]
  if (!/\d/.test(segment)) return []
  const version = exactVersion.exec(segment)
  if (version !== null)
    return [{ kind: 'version', text: version[1] ?? '', at: at + segment.indexOf(version[1] ?? '') }]
  const decimal = exactDecimal.exec(segment)?.[1]
  if (decimal !== undefined)
    return digitsOf(decimal).length >= minDigits ? [{ kind: 'number', text: decimal, at }] : []
  return [...segment.matchAll(/[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*/g)].flatMap((found) =>
    valuesOfName(found[0], at + found.index),
  )
}

function valuesOfName(name: string, at: number): readonly ExactValue[] {
  if (exactUuid.test(name)) return [{ kind: 'uuid', text: name, at }]
  const key = issueKey.exec(name)
  if (standards.has(name)) return []
  if (key !== null && !countedKeys.has(key[1] ?? '')) return [{ kind: 'key', text: name, at }]
  if (prefixedKey.test(name)) return [{ kind: 'key', text: name, at }]
  const values: ExactValue[] = []
  for (const found of name.matchAll(/[A-Za-z0-9]+/g)) {
    const kind = wordKind(found[0])
    if (kind === null) continue
    const text = kind === 'number' ? found[0].replace(/[A-Za-z]+$/, '') : found[0]
    values.push({ kind, text, at: at + found.index })
  }
  return values
}

const minDigits = 5
const minHashCharacters = 7
const minIdCharacters = 8

function wordKind(word: string): 'hash' | 'id' | 'number' | null {
  if (word.length < minDigits) return null
  // A unit may follow a number directly.
  if (/^\d{5,40}(?:[A-Za-z]{1,3})?$/.test(word) && !isHash(word)) return 'number'
  if (isHash(word)) return 'hash'
  // `TS2345` is the code of an error; `ES2022` is a year, and `L1090` a line.
  if (/^[A-Z]{1,5}\d{4,9}$/.test(word) && !/^(?:ES20\d\d|L\d+)$/.test(word)) return 'id'
  return word.length >= minIdCharacters && isRandom(word) ? 'id' : null
}

function isHash(word: string): boolean {
  return (
    word.length >= minHashCharacters &&
    word.length <= 128 &&
    /^(?:[0-9a-f]+|[0-9A-F]+)$/.test(word) &&
    /\d/.test(word) &&
    /[a-f]/i.test(word)
  )
}

/** Digits and letters alternate more than once, unlike in a word with a number. */
function isRandom(word: string): boolean {
  const digitGroups = word.match(/\d+/g) ?? []
  if (digitGroups.length >= 2) return true
  const digits = digitGroups[0]?.length ?? 0
  return word.length >= 12 && digits >= 3 && !/^\d|\d$/.test(word)
}

export interface Run {
  readonly text: string
  readonly at: number
}

// A longer run is data, and no part of a summary.
const maxRunCharacters = 400

// Colons, commas, quotes, brackets and Markdown signs end a run: line numbers after a path,
// query arguments and emphasis are no part of it.
const alphabet = runAlphabet('_.-/@+~\\', {
  beyond: (code) =>
    (code >= 0xc0 && code <= 0x24f) || (code >= 0x370 && code <= 0x52f) ? letter : 0,
  // All bits: no run is skipped.
  significant: -1,
})

export function runsIn(text: string): readonly Run[] {
  const runs: Run[] = []
  eachRun(text, alphabet, (start, end) => {
    if (end - start < 3 || end - start > maxRunCharacters * 4) return end
    // A hyphen of a list, or the dots of an ellipsis; `./a`, `../a`, `~/a` and `.env` stay.
    let from = start
    while (from < end && '-+@'.includes(text[from] ?? ' ')) from += 1
    while (from + 3 <= end && text.startsWith('...', from)) from += 3
    let to = end
    while (to > from && '.-+@~\\_'.includes(text[to - 1] ?? ' ')) to -= 1
    if (to - from >= 2 && to - from <= maxRunCharacters)
      runs.push({ text: text.slice(from, to).replaceAll('\\', '/'), at: from })
    return end
  })
  return runs
}

export function segmentsOf(run: string): readonly string[] {
  return run.split('/').filter((segment) => segment !== '' && !/^(?:\.+|~)$/.test(segment))
}

interface GroupedNumber extends Run {
  readonly to: number
}

/** Numbers whose digits are in groups of three, as one: `1,234,567.5` and `1.234.567,5`. */
export function groupedNumbersIn(text: string): readonly GroupedNumber[] {
  return Array.from(text.matchAll(groupedDigits), (found) => {
    const [whole] = found
    const fraction = /^\d{1,3}(?:,\d{3})+\./.test(whole) ? '.' : ','
    const at = whole.lastIndexOf(fraction)
    const isWhole = at < 0 || /^\d{1,3}(?:,\d{3})+$/.test(whole)
    return {
      text: isWhole
        ? digitsOf(whole)
        : `${digitsOf(whole.slice(0, at))}.${digitsOf(whole.slice(at))}`,
      at: found.index,
      to: found.index + whole.length,
    }
  })
}
