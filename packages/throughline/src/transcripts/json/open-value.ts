/**
 * The JSON value that the scanner is inside of: finds its end across chunks and keeps its text if wanted.
 * A line break inside a string, which JSON forbids, ends it, so an unclosed quote does not swallow the
 * rest of the file.
 */
import { defaults } from '../../defaults-data.ts'

/** Deeper values are refused: walking them later would overflow the stack. */
export const maximumDepth = 512

/** A message has no more bytes, so a longer value would be refused later anyway. */
export const maximumBytes = defaults.messageBytesMax.value
const encoder = new TextEncoder()
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
  #bytes = 0
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
    this.#bytes += encoder.encode(piece).length
    if (this.#bytes > maximumBytes) this.refusal ??= `is larger than ${maximumBytes} bytes`
    if (this.refusal === null) this.#pieces.push(piece)
    else this.#pieces.length = 0
  }

  #closing(chunk: string, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      const code = chunk.charCodeAt(at)
      if (code === lineBreak) this.lineBreaks += 1
      if (this.#inString) this.#readInString(code)
      else if (code === quote) this.#inString = true
      else if (code === openBrace || code === openBracket) this.#depth += 1
      else if (code === closeBrace || code === closeBracket) this.#depth -= 1
      if (this.#depth > maximumDepth) this.refusal ??= `nests deeper than ${maximumDepth} levels`
      if (this.#depth <= 0 && !this.#inString) return at + 1
    }
    return -1
  }

  #readInString(code: number): void {
    if (code === lineBreak) this.#inString = false
    else if (code === quote && !this.#escaped) this.#inString = false
    this.#escaped = code === backslash && !this.#escaped
  }
}

function scalarEnd(chunk: string, from: number): number {
  const separators = /[\s,\]}:]/g
  separators.lastIndex = from
  return separators.exec(chunk)?.index ?? -1
}
