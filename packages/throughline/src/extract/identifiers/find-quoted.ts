/**
 * What stands in quotes as a name does: short, on one line, and not a sentence. What is
 * quoted is more than its first words, so up to six are taken.
 */
import { type Identifier, identifier } from './identifier.ts'

const quotes: readonly RegExp[] = [
  /(?<![\p{L}\p{N}])"([^"\r\n]{2,60})"(?![\p{L}\p{N}])/gu,
  /(?<![\p{L}\p{N}])'([^'\r\n]{2,60})'(?![\p{L}\p{N}])/gu,
  /`([^`\r\n]{2,60})`/g,
  /“([^“”\r\n]{2,60})”/g,
  /‘([^‘’\r\n]{2,60})’(?![\p{L}\p{N}])/gu,
  /«\s?([^«»\r\n]{2,60}?)\s?»/g,
  /„([^„“”\r\n]{2,60})[“”]/g,
  /[「『]([^「」『』\r\n]{2,60})[」』]/g,
]

export function* findQuoted(text: string): Generator<Identifier> {
  for (const form of quotes) {
    for (const match of text.matchAll(form)) {
      const content = match[1] ?? ''
      const end = match.index + match[0].length
      // The name of a field says what a value is, and is none itself.
      const isField = /^\s{0,4}:/.test(text.slice(end, end + 5))
      if (!isField && isName(content))
        yield identifier('quoted', content, match.index + match[0].indexOf(content))
    }
  }
}

function isName(content: string): boolean {
  return (
    content.trim() === content &&
    /\p{L}/u.test(content) &&
    !/[.!?,;:] |[.!?]$|[{}<>;=]|\\/u.test(content) &&
    content.split(/\s+/).length <= 6
  )
}
