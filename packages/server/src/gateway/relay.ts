/**
 * Passes an answer on, byte for byte, and collects it on the way. What ends the answer is passed on only after
 * the answer is stored: a client that has seen the end may send its next request at once.
 */
import type { Readable, Transform } from 'node:stream'
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib'
import { type AnswerForm, type CollectedAnswer, fieldsOfText } from './answer.ts'
import { createEventReader } from './server-sent-events.ts'

export interface AnswerEnd {
  readonly answer: CollectedAnswer
  /** Whether the bytes ended as they should. */
  readonly isWhole: boolean
}

/** A body is collected up to this size; a longer one passes, and is not stored. */
const collectedBytesMax = 64 * 1024 * 1024

export function relayAnswer(
  body: Readable,
  headers: Headers,
  {
    form,
    onEnd,
    onLeave,
  }: {
    readonly form: AnswerForm
    /** Must not throw. */
    readonly onEnd: (end: AnswerEnd) => Promise<void>
    /** The client does not want the rest. */
    readonly onLeave: () => void
  },
): ReadableStream<Uint8Array> {
  const reader = answerReader(headers, form)
  let ended: Promise<void> | null = null
  const end = (isWhole: boolean) => {
    ended ??= reader.answer().then(
      (answer) => onEnd({ answer, isWhole }),
      () => {},
    )
    return ended
  }
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await chunks.next()
          if (done === true) {
            await end(true)
            controller.close()
            return
          }
          if (await reader.take(value)) await end(true)
          controller.enqueue(value)
        } catch {
          await end(false)
          controller.error(cutError())
        }
      },
      cancel: async () => {
        onLeave()
        await end(false)
      },
    },
    { highWaterMark: 0 },
  )
}

/** Without a stack: it is the upstream's, and is printed. */
function cutError(): Error {
  const error = new Error('the upstream cut its answer')
  error.stack = ''
  return error
}

interface AnswerReader {
  /** True when the answer has ended with these bytes. */
  take(bytes: Uint8Array): Promise<boolean>
  answer(): Promise<CollectedAnswer>
}

function answerReader(headers: Headers, form: AnswerForm): AnswerReader {
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true
  const decode = decoderOf(headers.get('content-encoding'))
  if (isStream) return streamReader(form, decode)
  const chunks: Uint8Array[] = []
  let size = 0
  return {
    take: async (bytes) => {
      size += bytes.byteLength
      if (size <= collectedBytesMax) chunks.push(bytes)
      return false
    },
    answer: async () => {
      if (size > collectedBytesMax) throw new Error('the answer is too long to be stored')
      const decoded = [...(await decode(Buffer.concat(chunks))), ...(await decode(null))]
      const text = Buffer.concat(decoded).toString()
      // Without `alt=sse`, Gemini streams a list.
      const list: unknown = text.startsWith('[') ? JSON.parse(text) : null
      if (Array.isArray(list)) {
        const collector = form.collector()
        for (const each of list) collector.take(each)
        return collector.answer()
      }
      return form.whole(fieldsOfText(text) ?? {})
    },
  }
}

function streamReader(form: AnswerForm, decode: Decode): AnswerReader {
  const events = createEventReader()
  const collector = form.collector()
  let hasEnded = false
  const read = (pieces: readonly Uint8Array[]) => {
    for (const piece of pieces)
      for (const { data } of events(piece)) {
        if (data === '[DONE]') hasEnded = true
        const fields = fieldsOfText(data)
        if (fields !== null && collector.take(fields)) hasEnded = true
      }
  }
  return {
    take: async (bytes) => {
      read(await decode(bytes))
      return hasEnded
    },
    answer: async () => collector.answer(),
  }
}

/** Returns what could be decompressed so far; null ends the input. */
type Decode = (bytes: Uint8Array | null) => Promise<readonly Uint8Array[]>

/** We ask for answers that are not compressed, but an upstream may not care. */
function decoderOf(encoding: string | null): Decode {
  const create = encoding === null ? undefined : decompressors[encoding]
  if (create === undefined) return async (bytes) => (bytes === null ? [] : [bytes])
  const stream = create()
  const decoded: Uint8Array[] = []
  stream.on('data', (chunk: Uint8Array) => decoded.push(chunk))
  const failed = new Promise<void>((resolve) => stream.once('error', () => resolve()))
  return async (bytes) => {
    const taken = new Promise<void>((resolve) => {
      if (bytes === null) stream.end(resolve)
      else stream.write(bytes, () => resolve())
    })
    await Promise.race([taken, failed])
    return decoded.splice(0)
  }
}

const decompressors: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  br: createBrotliDecompress,
  deflate: createInflate,
  zstd: createZstdDecompress,
}
