/**
 * Characters are code points: the closest to what people count that is the same on every
 * machine. Where a text is cut, what a reader takes for one character stays whole.
 */
import { boundaryBefore } from '../extract/character-boundary.ts'
import { firstCodePoints } from '../summarizers/answer-text.ts'

export function characterCount(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at += 1, count += 1)
    if ((text.codePointAt(at) ?? 0) > 0xffff) at += 1
  return count
}

/** At most so many; a letter with its marks, or a flag, is never cut in two. */
export function firstCharacters(text: string, most: number): string {
  const start = firstCodePoints(text, Math.max(0, most))
  return start.slice(0, boundaryBefore(text, start.length))
}

/** At most so many, the sign of a cut among them; behind a whole word where one ends near. */
export function cutCharacters(text: string, most: number): string {
  if (characterCount(firstCodePoints(text, most + 1)) <= most) return text
  if (most < 1) return ''
  return `${beforeSign(wholeWords(firstCharacters(text, most - 1), text))}…`
}

/** Up to its last word: the sign of a cut stands behind no other sign, and not behind itself. */
export function beforeSign(start: string): string {
  let end = start.length
  while (end > 0)
    // Several points are the same sign.
    if (loose.has(start[end - 1] ?? '')) end -= 1
    else if (start.endsWith('..', end)) while (start[end - 1] === '.') end -= 1
    else break
  return start.slice(0, end)
}

const loose: ReadonlySet<string> = new Set(' ,;:·…')

/** Half a number or half a name is another one. */
export function wholeWords(start: string, text: string): string {
  if (start.length === text.length || /\s/.test(text[start.length] ?? '')) return start.trimEnd()
  const near = Math.max(0, start.length - nearCharacters)
  const space = start.slice(near).search(/\s\S*$/)
  return space < 0 ? start : start.slice(0, near + space).trimEnd()
}

const nearCharacters = 40
