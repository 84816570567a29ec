/**
 * Imports a transcript into an engine, streamed in batches: memory does not grow with the transcript. An
 * import can be killed at any point and repeated: each message has a key from its id or position in the
 * file, so nothing is added twice. A transcript with changed messages becomes a fork
 * (`import/imported-log.ts`).
 */
import { ThroughlineError } from '../../errors.ts'
import type { TenantHandle } from '../../index.ts'
import {
  type ReadTranscriptOptions,
  readTranscript,
  type TranscriptConversation,
  type TranscriptItem,
  type TranscriptMessage,
} from '../../transcripts/index.ts'
import { importedMeta } from '../request-options.ts'
import { type ImportReport, ImportTally } from './import-report.ts'
import { ImportedLog, importKey } from './imported-log.ts'

export interface ImportOptions extends ReadTranscriptOptions {
  /** Appends to this conversation, whatever is in it. */
  readonly into?: string | undefined
  readonly dryRun?: boolean | undefined
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined
  readonly signal?: AbortSignal | undefined
  /** Called with every chunk of the source. */
  readonly progress?: ((read: ReturnType<ImportTally['read']>) => void) | undefined
  /** Conversations in memory, 10,000 unless set; others are looked up in the store. */
  readonly logsKept?: number | undefined
}

type Engine = Pick<TenantHandle, 'begin' | 'conversation'>

export async function importTranscript(
  engine: Engine,
  source: AsyncIterable<Uint8Array>,
  options: ImportOptions = {},
): Promise<ImportReport> {
  const { name, format, onBroken, signal, progress, now = Date.now } = options
  const started = performance.now()
  const tally = new ImportTally(now())
  const run = new ImportRun({ ...options, engine, tally })
  const pieces = async function* () {
    for await (const chunk of source) {
      const read = tally.read(chunk.byteLength)
      progress?.(read)
      yield chunk
    }
  }
  let complete = true
  for await (const item of readTranscript(pieces(), { name, format, onBroken })) {
    // Waiting messages are dropped here: the next import reads them again.
    complete = signal?.aborted !== true
    if (!complete) break
    if (item.kind === 'message') tally.messageTime(item.message.createdAt)
    await run.take(item)
  }
  if (complete) await run.flush()
  return tally.report(performance.now() - started, complete)
}

const batchMessages = 200
/** The most characters that may wait to be appended, in all conversations together. */
const batchLength = 500_000

type ImportRunOptions = ImportOptions & { readonly engine: Engine; readonly tally: ImportTally }

/** Takes the items of a transcript one by one; `flush` writes those that still wait. */
export class ImportRun {
  readonly #options: ImportRunOptions
  readonly #logs = new Map<string, ImportedLog>()
  readonly #seen = new Set<string>()
  /** The conversation of the transcript that is imported as `into`. */
  #main: string | null = null
  #waitingLength = 0

  constructor(options: ImportRunOptions) {
    this.#options = options
  }

  async take(item: TranscriptItem): Promise<void> {
    const { tally } = this.#options
    if (item.kind === 'conversation') await this.#open(item)
    if (item.kind === 'message') await this.#add(item)
    if (item.kind === 'branch') tally.branch(item.messages)
    if (item.kind === 'problem') tally.problem(item)
    // Compactions of the other tool are not imported.
  }

  async flush(): Promise<void> {
    for (const log of this.#logs.values()) await log.flush()
    this.#waitingLength = 0
  }

  async #open(item: TranscriptConversation): Promise<ImportedLog> {
    // If a reader announces a conversation twice, a second log would drop waiting messages.
    const open = this.#logs.get(item.id)
    if (open !== undefined) return open
    const { engine, tally, into, dryRun = false, onBroken, logsKept = 10_000 } = this.#options
    if (this.#logs.size >= logsKept) await this.#forgetSome()
    const parent = item.parent && {
      ...item.parent,
      conversationId: this.#placeOf(item.parent.conversationId),
    }
    const id = this.#idFor(item)
    const log = new ImportedLog({
      engine,
      tally,
      conversation: { ...item, id, parent, meta: importedMeta(item.meta) },
      dryRun,
      appendsAnywhere: into === id,
      isReopened: this.#seen.has(item.id),
      onRefused: (line, error) => {
        if (onBroken === 'abort') throw error
        tally.problem({ line, reason: error.message })
      },
    })
    this.#logs.set(item.id, log)
    this.#seen.add(item.id)
    return log
  }

  #placeOf(id: string): string {
    return this.#logs.get(id)?.id ?? this.#childId(id)
  }

  /** With `into`, the one conversation gets that id, and the ids of its children start with it. */
  #idFor({ id, parent }: TranscriptConversation): string {
    const { into } = this.#options
    if (into === undefined) return id
    if (parent !== null) return this.#childId(id)
    if (this.#main !== null && this.#main !== id)
      throw new ThroughlineError(
        'CONFIG_INVALID',
        'the transcript has several conversations, and --into takes one; omit --into',
      )
    this.#main = id
    return into
  }

  #childId(id: string): string {
    const { into } = this.#options
    if (into === undefined) return id
    if (id === this.#main) return into
    const own = this.#main !== null && id.startsWith(`${this.#main}/`)
    return `${into}${own ? id.slice(this.#main?.length) : `/${id}`}`
  }

  async #add(item: TranscriptMessage): Promise<void> {
    const { conversationId, message, line } = item
    const log = this.#logs.get(conversationId) ?? (await this.#reopen(conversationId))
    const isOther = this.#options.into === log.id && conversationId !== log.id
    const key = isOther ? importKey(conversationId, message.key) : message.key
    const length = lengthOf(item)
    log.waiting.push({ message: { ...message, key }, line })
    log.waitingLength += length
    this.#waitingLength += length
    if (this.#waitingLength >= batchLength) await this.flush()
    if (log.waiting.length < batchMessages) return
    this.#waitingLength -= log.waitingLength
    await log.flush()
  }

  /** Its title and metadata are already in the store. */
  #reopen(id: string): Promise<ImportedLog> {
    const isMain = this.#main === null || id === this.#main
    const parent = isMain ? null : { conversationId: this.#main ?? id, callId: null }
    return this.#open({ kind: 'conversation', id, title: null, parent, meta: null })
  }

  /** Only logs with their own id can be reopened later. */
  async #forgetSome(): Promise<void> {
    await this.flush()
    for (const [id, log] of this.#logs) if (log.isPlain) this.#logs.delete(id)
  }
}

function lengthOf({ message: { raw, content } }: TranscriptMessage): number {
  if (raw !== undefined) return raw.length
  return typeof content === 'string' ? content.length : contentLength
}

/** An estimate for content without a text. */
const contentLength = 2_000
