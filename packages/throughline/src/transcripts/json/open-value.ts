/**
 * The JSON value that the scanner is inside of: finds its end across chunks and keeps its text if wanted.
 * A line break inside a string, which JSON forbids, ends it, so an unclosed quote does not swallow the
 * rest of the file.
 */
import { defaults } from '../../defaults-data.ts'

/** Deeper values are refused: walking them later would overflow the stack. */
export const maximumDepth = 512

/** A message has no more bytes, so a longer value would be refused later anyway. */
export const maximumBytes = defaults.messageBytesMax
const encoder = new TextEncoder()
/** A UTF-16 unit has no more bytes in UTF-8. */
const maxUnitBytes = 3
const lineBreak = 10
const quote = 34
const openBracket = 91
const backslash = 92
const closeBracket = 93
const openBrace = 123
const closeBrace = 125

export class OpenValue {
  readonly choice: 'take' | 'skip' | 'key'
  readonly line: number
  lineBreaks = 0
  /** Why the value is refused; null where it is not. */
  refusal: string | null = null
  readonly #scalar: boolean
  readonly #pieces: string[] = []
  #characters = 0
  #bytes = 0
  /** Pieces whose bytes are counted. */
  #counted = 0
  #depth = 0
  #inString = false
  #escaped = false

  constructor(choice: OpenValue['choice'], line: number, opening: string) {
    this.choice = choice
    this.line = line
    this.#scalar = opening !== '{' && opening !== '[' && opening !== '"'
  }

  get text(): string {
    return this.#pieces.join('')
  }

  /** The position after the value, or -1 if it continues in the next chunk. */
  read(chunk: string, from: number): number {
    const end = this.#scalar ? scalarEnd(chunk, from) : this.#closing(chunk, from)
    if (this.choice !== 'skip') this.#keep(chunk.slice(from, end < 0 ? chunk.length : end))
    return end
  }

  #keep(piece: string): void {
    if (this.refusal !== null) return
    this.#pieces.push(piece)
    this.#characters += piece.length
    // Most values are far below the limit, and need no count.
    if (this.#characters * maxUnitBytes <= maximumBytes) return
    for (; this.#counted < this.#pieces.length; this.#counted += 1)
      this.#bytes += encoder.encode(this.#pieces[this.#counted]).length
    if (this.#bytes <= maximumBytes) return
    this.refusal = `is larger than ${maximumBytes} bytes`
    this.#pieces.length = 0
  }

  #closing(chunk: string, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      if (this.#inString) {
        at = this.#stringEnd(chunk, at)
        if (at < 0) return -1
      } else this.#readOutside(chunk.charCodeAt(at))
      if (this.#depth > maximumDepth) this.refusal ??= `nests deeper than ${maximumDepth} levels`
      if (this.#depth <= 0 && !this.#inString) return at + 1
    }
    return -1
  }

  #readOutside(code: number): void {
    if (code === lineBreak) this.lineBreaks += 1
    else if (code === quote) this.#inString = true
    else if (code === openBrace || code === openBracket) this.#depth += 1
    else if (code === closeBrace || code === closeBracket) this.#depth -= 1
  }

  /** The position of the character that ends the string, or -1 if it continues in the next chunk. */
  #stringEnd(chunk: string, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      // Strings are most of a transcript, so a pattern skips their other characters.
      if (!this.#escaped) {
        stringMarks.lastIndex = at
        at = stringMarks.exec(chunk)?.index ?? -1
        if (at < 0) return -1
      }
      const code = chunk.charCodeAt(at)
      const isEnd = code === lineBreak || (code === quote && !this.#escaped)
      this.#escaped = code === backslash && !this.#escaped
      if (code === lineBreak) this.lineBreaks += 1
      if (!isEnd) continue
      this.#inString = false
      return at
    }
    return -1
  }
}

const stringMarks = /["\\\n]/g

function scalarEnd(chunk: string, from: number): number {
  const separators = /[\s,\]}:]/g
  separators.lastIndex = from
  return separators.exec(chunk)?.index ?? -1
}
