import { describe, expect, it } from 'vitest'
import { isThroughlineError } from '../errors.ts'
import { detectFormat } from './detect-format.ts'
import { transcriptFormats } from './formats-data.ts'
import { readTranscript } from './read-transcript.ts'
import { samples } from './samples.test-support.ts'

/** Called as from JavaScript, without type checks. */
const readAnything = readTranscript as (...given: readonly unknown[]) => AsyncIterable<unknown>
const detectAnything = detectFormat as (given: unknown) => unknown

async function failureOf(...given: readonly unknown[]): Promise<string> {
  try {
    await Array.fromAsync(readAnything(...given))
  } catch (error) {
    if (isThroughlineError(error)) return `${error.code}: ${error.message}`
    throw error
  }
  return 'none'
}

async function* chunks(...given: readonly unknown[]): AsyncGenerator<unknown> {
  yield* given
}

describe('the arguments of readTranscript', () => {
  it.each(['nope', 'toString', '__proto__', 7, null])('refuses the format %j', async (format) => {
    expect(await failureOf(samples.pi, { format })).toBe(
      `CONFIG_INVALID: option "format" must be one of ${transcriptFormats.join(', ')}, got ${JSON.stringify(format)}`,
    )
  })

  it('refuses unknown options and invalid values', async () => {
    expect(await failureOf(samples.pi, { fromat: 'pi' })).toBe(
      'CONFIG_INVALID: readTranscript has no option "fromat"; it takes format, onBroken, name',
    )
    expect(await failureOf(samples.pi, { onBroken: 'explode' })).toBe(
      'CONFIG_INVALID: option "onBroken" must be one of skip, abort, got "explode"',
    )
    expect(await failureOf(samples.pi, { name: 7 })).toBe(
      'CONFIG_INVALID: option "name" must be text, got 7',
    )
    for (const options of [null, 'pi', ['pi']])
      expect(await failureOf(samples.pi, options)).toMatch(/^CONFIG_INVALID: .* expects an object/)
    const unset = { format: undefined, onBroken: undefined, name: undefined }
    expect(await failureOf(samples.pi, unset)).toBe('none')
  })

  it.each([null, undefined, 5, {}, ['text'], { [Symbol.asyncIterator]: 5 }])(
    'refuses the source %j',
    async (source) => {
      const failure = await failureOf(source)
      expect(failure).toMatch(
        /^CONFIG_INVALID: a transcript is text, bytes or an async iterable of either, got /,
      )
      expect(await failureOf(source, { format: 'openai' })).toBe(failure)
    },
  )

  it.each([null, undefined, 5, {}])('refuses a source with a chunk of %j', async (chunk) => {
    expect(await failureOf(chunks(samples.pi, chunk))).toMatch(
      /^CONFIG_INVALID: a chunk of a transcript is text or bytes, got /,
    )
  })

  it('detects the format of text only', () => {
    for (const head of [5, null, undefined, {}, new Uint8Array()])
      expect(() => detectAnything(head)).toThrow(/^detectFormat expects the beginning of a text/)
  })
})
