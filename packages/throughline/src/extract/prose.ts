/** Whether a line is something that somebody says, and no code, log, table, heading or list. */
import { machineLines as machine } from './prose-forms-data.ts'

// A line of that length is data, whatever its letters.
const lineCharacters = 12_000
const sampleCharacters = 600

export function isProse(line: string): boolean {
  if (line.length < 2 || line.length > lineCharacters) return false
  const sample = line.length > sampleCharacters ? line.slice(0, sampleCharacters) : line
  if (isHeading(sample) || (suspicious.test(sample) && isMachine(sample))) return false
  const hasCode = sample.includes('`') || sample.includes('://')
  const { marks, pieces, words, isWide } = shapeOf(
    hasCode ? sample.replace(quotedCode, 'code') : sample,
  )
  if (marks > sample.length * mostMarks) return false
  return isWide || (words >= Math.min(2, pieces) && words * 2 >= pieces)
}

/** A whole sentence and no note: it has words enough, begins as one and ends as one. */
export function isSentence(line: string): boolean {
  const trimmed = line.trim()
  return (
    /[.!?。！？।؟]["')\]*_”’]{0,3}$/.test(trimmed) &&
    /^[\p{Lu}\p{Lo}¿¡"“'`*]/u.test(trimmed) &&
    (shapeOf(trimmed).isWide || trimmed.split(/\s+/, sentenceWords).length >= sentenceWords)
  )
}

const sentenceWords = 5
const mostMarks = 0.1
/** No line of code and no log is without all of these. */
const suspicious = /[;{}()=<>:$@[\]]|['"]\s*$|^\s*(?:from|\d)/
const quotedCode = /`[^`\n]{1,200}`|\bhttps?:\/\/\S{1,400}/g

/** It announces what follows, and says nothing itself. */
function isHeading(line: string): boolean {
  const text = line.trim()
  switch (text[0]) {
    case '#':
      return /^#{1,6}\s/.test(text)
    case '|':
    case '+':
      return true
    case '*':
    case '_':
      if (/^(?:\*\*[^*]{1,160}\*\*|__[^_]{1,160}__):?$/.test(text)) return true
  }
  return text.length <= headingCharacters && (text.endsWith(':') || text.endsWith('：'))
}

const headingCharacters = 80

function isMachine(line: string): boolean {
  return machine.some((pattern) => pattern.test(line))
}

interface Shape {
  /** Marks of code and of drawings; those of a sentence are none. */
  readonly marks: number
  readonly pieces: number
  /** Pieces that are words: letters, with the marks of a sentence around them. */
  readonly words: number
  /** Whether it is of a script that sets no spaces. */
  readonly isWide: boolean
}

function shapeOf(text: string): Shape {
  let [marks, pieces, words] = [0, 0, 0]
  let isWide = false
  let hasLetter = false
  // A dot or a colon with something after it is inside of a name.
  let hasInner = false
  let isOpen = false
  let dotted = false
  for (let at = 0; at <= text.length; at += 1) {
    const code = at < text.length ? text.charCodeAt(at) : space
    const sort = code < 128 ? (ascii[code] ?? 0) : sortOf(code)
    if (sort === blank) {
      if (isOpen) pieces += 1
      if (isOpen && hasLetter && !hasInner) words += 1
      isOpen = hasLetter = hasInner = dotted = false
      continue
    }
    isOpen = true
    if (sort === letter || sort === wideLetter) {
      hasLetter = true
      if (dotted) hasInner = true
      if (sort === wideLetter) isWide = true
    } else if (sort === sign) {
      marks += 1
      hasInner = true
    } else if (sort === dot) dotted = hasLetter
  }
  return { marks, pieces, words, isWide }
}

const blank = 1
const letter = 2
const wideLetter = 3
const sign = 4
const dot = 5
const space = 32

const ascii: Uint8Array = new Uint8Array(128)
  .fill(sign, 0, 9)
  .fill(sign, 11, 32)
  .fill(letter, 65, 91)
  .fill(letter, 97, 123)
for (const mark of '\t\n\r ') ascii[mark.charCodeAt(0)] = blank
for (const mark of '{}<>=|\\_$^~[]#+/@&%') ascii[mark.charCodeAt(0)] = sign
for (const mark of '.:') ascii[mark.charCodeAt(0)] = dot

function sortOf(code: number): number {
  if (code >= 0x2190 && code <= 0x2bff) return sign
  if (code >= 0x0e00 && code <= 0x0e7f) return wideLetter
  if (code >= 0x3040 && code <= 0x9fff) return wideLetter
  if (code === 0xa0 || code === 0x3000) return blank
  return (code >= 0xc0 && code < 0x2000) || (code > 0x9fff && code < 0xd800) ? letter : 0
}
