/**
 * What stands in quotes as a name does: short, on one line, and not a sentence. What is
 * quoted is more than its first words, so up to six are taken.
 */
import { isAsciiLetter } from '../ascii-letter.ts'
import { type Identifier, identifier } from './identifier.ts'

interface Quotes {
  /** The mark that opens them: nothing else of a text is looked at. */
  readonly opens: string
  readonly form: RegExp
}

const quotes: readonly Quotes[] = [
  { opens: '"', form: /(?<![\p{L}\p{N}])"([^"\r\n]{2,60})"(?![\p{L}\p{N}])/uy },
  { opens: "'", form: /(?<![\p{L}\p{N}])'([^'\r\n]{2,60})'(?![\p{L}\p{N}])/uy },
  { opens: '`', form: /`([^`\r\n]{2,60})`/y },
  { opens: '“', form: /“([^“”\r\n]{2,60})”/y },
  { opens: '‘', form: /‘([^‘’\r\n]{2,60})’(?![\p{L}\p{N}])/uy },
  { opens: '«', form: /«\s?([^«»\r\n]{2,60}?)\s?»/y },
  { opens: '„', form: /„([^„“”\r\n]{2,60})[“”]/y },
  { opens: '「', form: /「([^「」『』\r\n]{2,60})[」』]/y },
  { opens: '『', form: /『([^「」『』\r\n]{2,60})[」』]/y },
]

export function findQuoted(text: string): readonly Identifier[] {
  const found: Identifier[] = []
  for (const { opens, form } of quotes) {
    for (let at = text.indexOf(opens); at >= 0; ) {
      form.lastIndex = at
      const match = isApostrophe(text, at) ? null : form.exec(text)
      const end = match === null ? at + 1 : form.lastIndex
      if (match !== null) noteQuoted(text, match, end, found)
      at = text.indexOf(opens, end)
    }
  }
  return found
}

const apostrophe = 39

/** Inside a word, as it stands in most texts. */
function isApostrophe(text: string, at: number): boolean {
  return text.charCodeAt(at) === apostrophe && at > 0 && isAsciiLetter(text.charCodeAt(at - 1))
}

function noteQuoted(text: string, match: RegExpExecArray, end: number, found: Identifier[]): void {
  const content = match[1] ?? ''
  // The name of a field says what a value is, and is none itself.
  const isField = /^\s{0,4}:/.test(text.slice(end, end + 5))
  if (!isField && isName(content))
    found.push(identifier('quoted', content, match.index + match[0].indexOf(content)))
}

function isName(content: string): boolean {
  return (
    content.trim() === content &&
    /\p{L}/u.test(content) &&
    !/[.!?,;:] |[.!?]$|[{}<>;=]|\\/u.test(content) &&
    content.split(/\s+/).length <= 6
  )
}
