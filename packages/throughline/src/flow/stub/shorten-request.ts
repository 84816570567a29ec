/**
 * Shortens a long request, such as a pasted plan: its start, its end, and the lines between them that
 * say what the rest is about. Those are lines that name a file in work, headings, and lines that name
 * other files, in this order.
 */
import { grouped } from '../../domain/text.ts'
import { cutText, textEnd, textStart } from '../text/excerpt.ts'
import { type ShortenOptions, shorten } from './shorten.ts'

/** The rest is for lines of the middle. */
const shares = { start: 0.35, end: 0.15 }
// A shorter excerpt has no room for lines from the middle.
const minTokens = 200
const maxLineCharacters = 160
const maxTextCharacters = 200_000

export function shortenRequest(
  text: string,
  options: ShortenOptions,
  inWork: readonly string[],
): string {
  const { seq, keepTokens, count, digest } = options
  const isLong = text.length <= maxTextCharacters && keepTokens >= minTokens && digest === undefined
  if (!isLong || count(text) <= keepTokens) return shorten(text, options)
  const start = textStart(text, Math.floor(keepTokens * shares.start), count)
  const end = textEnd(text.slice(start.length), Math.floor(keepTokens * shares.end), count)
  const middle = text.slice(start.length, text.length - end.length)
  const roomTokens = keepTokens - count(start) - count(end)
  const lines = describingLines(middle.split('\n'), roomTokens, inWork, count)
  if (lines === '') return shorten(text, options)
  const characters = grouped(middle.length)
  const note = `[… ${characters} characters left out, except the lines below; see #${seq} …]`
  return `${start.trimEnd()}\n${note}\n${lines}\n[… to here …]\n${end.trimStart()}`
}

/** The lines that say most, in their order; a mark shows where others are left out. */
function describingLines(
  lines: readonly string[],
  roomTokens: number,
  inWork: readonly string[],
  count: (text: string) => number,
): string {
  const rated = lines.flatMap((line, at) => {
    const text = cutText(line.trim(), maxLineCharacters)
    const rank = rankOf(text, inWork)
    return rank === null ? [] : [{ at, text, rank }]
  })
  const chosen: typeof rated = []
  let left = roomTokens
  for (const each of rated.toSorted((one, other) => one.rank - other.rank || one.at - other.at)) {
    const tokens = count(`${each.text}\n…\n`)
    if (tokens > left) continue
    left -= tokens
    chosen.push(each)
  }
  let before = -1
  return chosen
    .sort((one, other) => one.at - other.at)
    .map(({ at, text }) => {
      const isGap = before >= 0 && lines.slice(before + 1, at).some((line) => line.trim() !== '')
      before = at
      return isGap ? `…\n${text}` : text
    })
    .join('\n')
}

/** Lower is better; null for lines that say little. */
function rankOf(line: string, inWork: readonly string[]): number | null {
  if (inWork.some((name) => name !== '' && line.includes(name))) return 0
  if (heading.test(line)) return 1
  return fileName.test(line) ? 2 : null
}

const heading = /^(?:#{1,6} |\*\*[^*]{1,80}\*\*:?$)/
const fileName = /[\w-]\.[A-Za-z]\w{0,5}(?![\w.])/
