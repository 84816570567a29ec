/**
 * The names that an answer sets apart: in bold, as items of lists, in quotes. They are read
 * from all of it, before anything is cut, because the names at its end are as exact as the first.
 */
import { quotedLiterals } from '../../extract/literals/phrase-literals.ts'

const mostNames = 10

/** In bold first, then items, then quotes, each in the order of the text. */
export function namesIn(text: string): readonly string[] {
  const lines = proseLines(text)
  const names = new Set<string>()
  const note = (found: Iterable<string>) => {
    for (const name of found) {
      if (names.size >= mostNames) return
      const bare = bareName(name)
      if (isName(bare)) names.add(bare)
    }
  }
  for (const line of lines) if (line.includes('**')) note(boldIn(line))
  for (const line of lines) note(itemIn(line))
  if (names.size < mostNames) note(quotedLiterals(lines.join('\n')).map((quoted) => quoted.text))
  return [...names]
}

/** Without blocks of code: what stands in quotes there are strings. */
function proseLines(text: string): readonly string[] {
  let isCode = false
  return text.split('\n').filter((line) => {
    if (line.length < shortestLine) return false
    const isFence = /^\s{0,20}(?:```|~~~)/.test(line)
    if (isFence) isCode = !isCode
    return !isCode && !isFence
  })
}

const shortestLine = 3

function* boldIn(line: string): Iterable<string> {
  for (const [, bold = ''] of line.matchAll(/\*\*([^*\n]{2,100})\*\*/g)) yield bold
}

/** An item that is a name, or begins with one and goes on to describe it. */
function* itemIn(line: string): Iterable<string> {
  const item = /^\s{0,20}(?:[-*+•–]|\d{1,3}[.)])\s{1,9}(?:\[[ xX]\] )?([^*"“„«「『].{1,199})/.exec(
    line,
  )?.[1]
  if (item !== undefined) yield item.split(/:\s|：| [-–—] | \(|（/, 1)[0] ?? ''
}

function bareName(name: string): string {
  return name
    .trim()
    .replace(/[:：,，]$/, '')
    .toWellFormed()
}

const nameCharacters = 80
const nameWords = 6

/** It begins as a name does, is short, and is no sentence. */
function isName(text: string): boolean {
  return (
    text.length >= 2 &&
    text.length <= nameCharacters &&
    (/^[\p{Lu}\p{Lt}\p{Lo}\d]/u.test(text) || /\p{Ll}[\p{Lu}\d_./-]/u.test(text)) &&
    /\p{L}/u.test(text) &&
    !/[.!?;] |[.!?;:。！？]$/u.test(text) &&
    text.split(/\s+/).length <= nameWords
  )
}
