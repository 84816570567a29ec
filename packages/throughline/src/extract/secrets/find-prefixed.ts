/** Secrets that begin with a mark of whoever issued them. */

import { hasBase62Checksum } from './checksums.ts'
import type { Finder, Finding } from './finding.ts'
import { longRunCharacters } from './long-runs.ts'
import { isVaried, isVariedAt, looksRandom } from './looks-random.ts'
import { isPlaceholder } from './placeholder.ts'
import { type PrefixedFormat, prefixedFormats } from './prefixed-formats.ts'
import { beginsWord, endsWord, type ScannedText } from './scanned-text.ts'

export const findPrefixed: Finder = (scanned) => {
  const { text } = scanned
  const findings: Finding[] = []
  for (const run of scanned.longRuns)
    for (let at = run.from; at <= run.to - longRunCharacters; at += 1) {
      if (!mayBegin(text.charCodeAt(at)) || !beginsWord(text, at)) continue
      const mark = markAt(text, at)
      if (mark === null) continue
      const to = endOf(scanned, mark, at)
      if (to === null) continue
      findings.push({ from: at, to, kind: mark.format.kind, by: 'form' })
      at = to - 1
    }
  return findings
}

function endOf(scanned: ScannedText, { start, format }: Mark, at: number): number | null {
  const from = at + start.length
  const to = withoutStops(scanned, from, scanned.runEnd(format.body, from))
  const length = to - from
  if (length < format.least || length > (format.most ?? Number.POSITIVE_INFINITY)) return null
  if (!format.checksum && !isVariedAt(scanned.text, from, to)) return null
  return endsWord(scanned.text, to) && isSecret(scanned.text.slice(from, to), format) ? to : null
}

/**
 * A full stop behind a secret ends the sentence, not the secret. No more than an ellipsis
 * is taken off: a run may be as long as the text, and many secrets may share its end.
 */
function withoutStops({ text }: ScannedText, from: number, end: number): number {
  let to = end
  while (to > from && end - to < 3 && text[to - 1] === '.') to -= 1
  return to
}

function isSecret(body: string, { doubtful, checksum, shape }: PrefixedFormat): boolean {
  if (shape?.test(body) === false) return false
  if (checksum && hasBase62Checksum(body)) return true
  return (doubtful ? looksRandom(body) : isVaried(body)) && !isPlaceholder(body)
}

interface Mark {
  readonly start: string
  readonly format: PrefixedFormat
}

/**
 * The marks as a tree of their characters, so that a place is held against all of them at
 * once: a row for each beginning, and in it the next row for each ASCII character.
 */
const columns = 128
const root = new Uint16Array(columns)
const rows: Uint16Array[] = [root]
const markOfRow = new Map<number, Mark>()

for (const format of prefixedFormats) for (const start of format.starts) plant({ start, format })

function plant(mark: Mark): void {
  let row = 0
  for (let at = 0; at < mark.start.length; at += 1) {
    const cells = rows[row]
    const code = mark.start.charCodeAt(at)
    if (cells === undefined) return
    if (cells[code] === 0) cells[code] = rows.push(new Uint16Array(columns)) - 1
    row = cells[code] ?? 0
  }
  markOfRow.set(row, mark)
}

/** Most characters begin no mark. */
function mayBegin(code: number): boolean {
  return (root[code] ?? 0) !== 0
}

/** The longest that stands there, since it says the most. */
function markAt(text: string, start: number): Mark | null {
  let longest = 0
  let row = 0
  for (let at = start; ; at += 1) {
    row = rows[row]?.[text.charCodeAt(at)] ?? 0
    if (row === 0) return markOfRow.get(longest) ?? null
    if (markOfRow.has(row)) longest = row
  }
}
