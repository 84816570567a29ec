import { machineLines } from './prose-forms-data.ts'

// A longer line is data.
const lineCharacters = 12_000
const sampleCharacters = 600

export function isProse(line: string): boolean {
  if (line.length < 2 || line.length > lineCharacters) return false
  const sample = line.length > sampleCharacters ? line.slice(0, sampleCharacters) : line
  if (
    isHeading(sample) ||
    (suspicious.test(sample) && machineLines.some((form) => form.test(sample)))
  )
    return false
  const hasCode = sample.includes('`') || sample.includes('://')
  const text = hasCode ? sample.replace(quotedCode, 'code') : sample
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0
  if (count(signs) > sample.length * maxSignShare) return false
  if (wide.test(text)) return true
  const [wordCount, pieceCount] = [count(words), count(pieces)]
  return wordCount >= Math.min(2, pieceCount) && wordCount * 2 >= pieceCount
}

/** A sentence rather than a note: enough words, a capital at the start, a mark at the end. */
export function isSentence(line: string): boolean {
  const trimmed = line.trim()
  return (
    /[.!?。！？।؟]["')\]*_”’]{0,3}$/.test(trimmed) &&
    /^[\p{Lu}\p{Lo}¿¡"“'`*]/u.test(trimmed) &&
    (wide.test(trimmed) || trimmed.split(/\s+/, minSentenceWords).length >= minSentenceWords)
  )
}

const minSentenceWords = 5
const maxSignShare = 0.1
/** Every line of code or of a log contains one of these. */
const suspicious = /[;{}()=<>:$@[\]]|['"]\s*$|^\s*(?:from|\d)/
const quotedCode = /`[^`\n]{1,200}`|\bhttps?:\/\/\S{1,400}/g

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

const blank = String.raw`\t\n\r \u00a0\u3000`
const sign = String.raw`\x00-\x08\x0b\x0c\x0e-\x1f{}<>=|\\_$^~[\]#+/@&%\u2190-\u2bff`
const letter = String.raw`A-Za-z\u00c0-\u1fff\u3040-\u9fff\ua000-\ud7ff`

/** Scripts without spaces between words. */
const wide = /[\u0e00-\u0e7f\u3040-\u9fff]/
const signs = new RegExp(`[${sign}]`, 'g')
const pieces = new RegExp(`[^${blank}]+`, 'g')
const words = new RegExp(
  `(?<![^${blank}])[^${letter}${sign}${blank}]*[${letter}][^.:${sign}${blank}]*(?:[.:][^${letter}${sign}${blank}]*)?(?![^${blank}])`,
  'g',
)
