/**
 * The data of the events of a stream, as they come. Bounded: an event that grows beyond the limit
 * is given up while it comes. Bytes that are no UTF-8 are an error, not question marks.
 */
import { tooLargeName } from '../language-model-failure.ts'

export async function* serverEvents(
  body: AsyncIterable<Uint8Array>,
  maxEventCharacters: number,
): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  let [data, size]: [string[], number] = [[], 0]
  for await (const chunk of body) {
    // A break that is half there, of `\r\n`, waits for its other half.
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const told = dataOf(line)
      if (told !== null) {
        data.push(told)
        size += told.length
      }
      if (size > maxEventCharacters) throw tooLarge(maxEventCharacters)
      if (line !== '' || data.length === 0) continue
      yield data.join('\n')
      ;[data, size] = [[], 0]
    }
    if (size + rest.length > maxEventCharacters) throw tooLarge(maxEventCharacters)
  }
  // Some servers do not end their last event. One that was cut is no JSON, and found out by that.
  const last = dataOf(rest + decoder.decode())
  if (last !== null) data.push(last)
  if (data.length > 0) yield data.join('\n')
}

function dataOf(line: string): string | null {
  return line.startsWith('data:') ? line.slice(line[5] === ' ' ? 6 : 5) : null
}

function tooLarge(maxCharacters: number): Error {
  const error = new Error(`an event of the answer is longer than ${maxCharacters} characters`)
  error.name = tooLargeName
  return error
}
