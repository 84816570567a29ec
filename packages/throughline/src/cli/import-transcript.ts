/**
 * From the bytes of a transcript to conversations in an engine. It streams: messages are read
 * and appended in batches, and memory does not grow with the transcript.
 *
 * An import can be stopped or killed anywhere and begun anew: messages have keys made of their
 * conversation and their place in the transcript, so what is there is not added again, and a
 * transcript that has grown adds what is new. One whose past has changed becomes a fork
 * (`import/imported-log.ts`).
 */
import type { TenantHandle } from '../index.ts'
import { type ReadTranscriptOptions, readTranscript } from '../transcripts/read-transcript.ts'
import { type ImportProgress, type ImportReport, ImportTally } from './import/import-report.ts'
import { ImportRun } from './import/import-run.ts'

export interface ImportOptions extends ReadTranscriptOptions {
  /** The conversation that the messages are appended to, whatever stands there. */
  readonly into?: string | undefined
  /** Read and counted; nothing is written. */
  readonly dryRun?: boolean | undefined
  /** Milliseconds since 1970, to tell times that lie ahead. */
  readonly now?: (() => number) | undefined
  /** Stops between two appends. */
  readonly signal?: AbortSignal | undefined
  /** Told with every piece of the source. */
  readonly progress?: ((progress: ImportProgress) => void) | undefined
}

/** The source is read once, from its beginning; what it is called is up to the caller. */
export async function importTranscript(
  engine: Pick<TenantHandle, 'begin' | 'conversation'>,
  source: AsyncIterable<Uint8Array>,
  options: ImportOptions = {},
): Promise<ImportReport> {
  const { name, format, onBroken, into = null, dryRun = false, signal, progress } = options
  const { now = Date.now } = options
  const started = performance.now()
  const tally = new ImportTally(now())
  const run = new ImportRun({ engine, tally, into, dryRun, onBroken })
  const pieces = counted(source, (size) => {
    tally.bytes += size
    progress?.(tally.progress())
  })
  let complete = true
  for await (const item of readTranscript(pieces, { name, format, onBroken })) {
    // What waits to be appended is left: it comes again.
    complete = signal?.aborted !== true
    if (!complete) break
    if (item.kind === 'message') tally.saidAt(item.message.createdAt)
    await run.take(item)
  }
  if (complete) await run.flush()
  return tally.report(performance.now() - started, complete)
}

async function* counted(
  source: AsyncIterable<Uint8Array>,
  count: (size: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    count(chunk.byteLength)
    yield chunk
  }
}
