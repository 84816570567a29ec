/**
 * Any source as pieces of UTF-8 text, without a byte order mark; a character may span two chunks. Invalid
 * bytes become U+FFFD and are reported once, with their line: a damaged text must not pass for the exact
 * one.
 */
import { ThroughlineError } from '../../errors.ts'
import { limits } from '../limits-data.ts'

/** A transcript as text, bytes or a stream of them. */
export type TranscriptSource =
  | AsyncIterable<Uint8Array>
  | AsyncIterable<string>
  | string
  | Uint8Array

export async function* sourceText(source: TranscriptSource, onDamage: (line: number) => void) {
  const decoder = new Utf8Decoder(onDamage)
  let first = true
  for await (const piece of pieces(source)) {
    const decoded = typeof piece === 'string' ? piece : decoder.decode(piece)
    const text = first && decoded.startsWith('\uFEFF') ? decoded.slice(1) : decoded
    if (decoded === '') continue
    first = false
    yield text
  }
  const rest = decoder.decode()
  if (rest !== '') yield rest
}

async function* pieces(source: TranscriptSource): AsyncGenerator<string | Uint8Array> {
  const isText = typeof source === 'string'
  if (!isText && !(source instanceof Uint8Array)) return yield* checkedChunks(source)
  const { pieceLength } = limits
  for (let at = 0; at < source.length; at += pieceLength)
    yield isText ? source.slice(at, at + pieceLength) : source.subarray(at, at + pieceLength)
}

/** JavaScript callers may pass anything, and a wrong source would fail far from here. */
async function* checkedChunks(source: unknown): AsyncGenerator<string | Uint8Array> {
  if (!isAsyncIterable(source))
    throw invalidArgument(
      `a transcript is text, bytes or an async iterable of either, got ${describe(source)}`,
    )
  for await (const chunk of source) {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array))
      throw invalidArgument(`a chunk of a transcript is text or bytes, got ${describe(chunk)}`)
    yield chunk
  }
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  if (typeof value !== 'object' || value === null) return false
  return Symbol.asyncIterator in value && typeof value[Symbol.asyncIterator] === 'function'
}

export function invalidArgument(message: string): ThroughlineError {
  return new ThroughlineError('CONFIG_INVALID', message)
}

export function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40).toWellFormed())
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object' && value !== null) return 'an object'
  return typeof value === 'function' || typeof value === 'symbol' ? typeof value : String(value)
}

class Utf8Decoder {
  readonly #onDamage: (line: number) => void
  readonly #lenient = new TextDecoder('utf-8', { ignoreBOM: true })
  readonly #strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  #isIntact = true
  #line = 1

  constructor(onDamage: (line: number) => void) {
    this.#onDamage = onDamage
  }

  /** Half a character waits for the next chunk; at the end it is damage. */
  decode(chunk?: Uint8Array): string {
    const options = { stream: chunk !== undefined }
    const text = this.#lenient.decode(chunk, options)
    if (!this.#isIntact) return text
    try {
      this.#strict.decode(chunk, options)
      this.#line += lineBreaks(text)
    } catch {
      this.#isIntact = false
      this.#onDamage(this.#line + lineBreaks(text.slice(0, text.indexOf('\uFFFD'))))
    }
    return text
  }
}

function lineBreaks(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1
  return count
}
