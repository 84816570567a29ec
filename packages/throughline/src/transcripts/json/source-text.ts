/**
 * Any source as pieces of text. Bytes are UTF-8, and a character may lie across two
 * chunks. A byte order mark at the beginning is dropped.
 *
 * Bytes that are no UTF-8 become U+FFFD, and we say at which line, once: reading on
 * is right, reading on in silence would pass a damaged text for the exact one.
 */
import { ThroughlineError } from '../../errors.ts'

/** A transcript as text, bytes or a stream of them. */
export type TranscriptSource =
  | AsyncIterable<Uint8Array>
  | AsyncIterable<string>
  | string
  | Uint8Array

/** Whole texts are cut to pieces of this size, so that reading them streams as well. */
const pieceLength = 65_536

export async function* sourceText(
  source: TranscriptSource,
  onDamage: (line: number) => void,
): AsyncGenerator<string> {
  const decoder = new Utf8Decoder(onDamage)
  let first = true
  for await (const piece of pieces(source)) {
    const decoded = typeof piece === 'string' ? piece : decoder.decode(piece)
    const text = first && decoded.startsWith('\uFEFF') ? decoded.slice(1) : decoded
    if (decoded === '') continue
    first = false
    yield text
  }
  const rest = decoder.end()
  if (rest !== '') yield rest
}

async function* pieces(source: TranscriptSource): AsyncGenerator<string | Uint8Array> {
  if (typeof source === 'string')
    for (let at = 0; at < source.length; at += pieceLength) yield source.slice(at, at + pieceLength)
  else if (source instanceof Uint8Array)
    for (let at = 0; at < source.length; at += pieceLength)
      yield source.subarray(at, at + pieceLength)
  else yield* checkedChunks(source)
}

/** Types stop nobody who writes JavaScript, and a wrong source would fail far from here. */
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

/** What was handed in, for the message of an error. */
export function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40).toWellFormed())
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object' && value !== null) return 'an object'
  return typeof value === 'function' || typeof value === 'symbol' ? typeof value : String(value)
}

class Utf8Decoder {
  readonly #onDamage: (line: number) => void
  #rest: Uint8Array = new Uint8Array()
  #line = 1
  #damaged = false

  constructor(onDamage: (line: number) => void) {
    this.#onDamage = onDamage
  }

  decode(chunk: Uint8Array): string {
    const bytes = this.#rest.length === 0 ? chunk : joined(this.#rest, chunk)
    const whole = bytes.length - unfinishedLength(bytes)
    // Copied: whoever brings the chunk may use its memory again.
    this.#rest = Uint8Array.from(bytes.subarray(whole))
    return this.#decodeWhole(bytes.subarray(0, whole))
  }

  /** What is left at the end is half a character. */
  end(): string {
    return this.#decodeWhole(this.#rest)
  }

  #decodeWhole(bytes: Uint8Array): string {
    const text = strictly(bytes)
    if (text !== null) return this.#count(text)
    const damaged = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
    if (!this.#damaged) {
      const before = damaged.slice(0, damaged.indexOf('\uFFFD'))
      this.#onDamage(this.#line + lineBreaks(before))
    }
    this.#damaged = true
    return this.#count(damaged)
  }

  #count(text: string): string {
    if (!this.#damaged) this.#line += lineBreaks(text)
    return text
  }
}

function strictly(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

/** How many bytes at the end begin a character that is not yet complete. */
function unfinishedLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if ((byte & 0b1100_0000) === 0b1000_0000) continue
    return back < characterLength(byte) ? back : 0
  }
  return 0
}

function characterLength(firstByte: number): number {
  if (firstByte >= 0xf0 && firstByte <= 0xf4) return 4
  if (firstByte >= 0xe0) return firstByte <= 0xef ? 3 : 1
  return firstByte >= 0xc2 ? 2 : 1
}

function joined(left: Uint8Array, right: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(left.length + right.length)
  bytes.set(left)
  bytes.set(right, left.length)
  return bytes
}

function lineBreaks(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1
  return count
}
