/**
 * Lines of a text that arrives in pieces, numbered from 1, without their line break
 * (`\n` or `\r\n`). Lines without anything in them are counted and passed over.
 */
import { maximumBytes } from './json/open-value.ts'

export interface Line {
  readonly text: string
  readonly number: number
}

export async function* readLines(chunks: AsyncIterable<string>): AsyncGenerator<Line> {
  const line = new OpenLine()
  for await (const chunk of chunks) {
    let from = 0
    for (let at = chunk.indexOf('\n'); at >= 0; at = chunk.indexOf('\n', from)) {
      line.add(chunk.slice(from, at))
      from = at + 1
      const finished = line.finish()
      if (finished.text !== '') yield finished
    }
    line.add(chunk.slice(from))
  }
  const last = line.finish()
  if (last.text !== '') yield last
}

class OpenLine {
  #pieces: string[] = []
  #length = 0
  #number = 0

  /** What is too long to be one string is cut off; the cut line then reads as a broken one. */
  add(piece: string): void {
    if (piece === '' || this.#length > maximumBytes) return
    this.#length += piece.length
    this.#pieces.push(piece)
  }

  finish(): Line {
    const text = this.#pieces.join('')
    this.#pieces = []
    this.#length = 0
    this.#number += 1
    const trimmed = text.endsWith('\r') ? text.slice(0, -1) : text
    return { text: trimmed.trim() === '' ? '' : trimmed, number: this.#number }
  }
}
