/** Reads transcripts as our messages. Opens no file, path or address: the caller brings the bytes. */
import { ThroughlineError } from '../errors.ts'
import { detectIn, detectLayout } from './detect-format.ts'
import { type FormatSet, formatSigns, type TranscriptFormat } from './format-signs.ts'
import { readAiSdk } from './formats/ai-sdk.ts'
import { readAnthropic } from './formats/anthropic.ts'
import { readChatgpt } from './formats/chatgpt.ts'
import { readClaudeCode } from './formats/claude-code.ts'
import { readCodex } from './formats/codex.ts'
import { readMessages } from './formats/messages.ts'
import { readMiniSwe } from './formats/mini-swe.ts'
import { readOpenai } from './formats/openai.ts'
import { readOpencode } from './formats/opencode.ts'
import { readPi } from './formats/pi.ts'
import { readPlainTalk } from './formats/plain-talk.ts'
import { readThroughline } from './formats/throughline.ts'
import { transcriptFormats } from './formats-data.ts'
import { describe, invalidArgument, sourceText, type TranscriptSource } from './json/source-text.ts'
import { limits } from './limits-data.ts'
import { StorableItems, type StoredItem } from './storable-items.ts'
import type { TranscriptItem, TranscriptProblem } from './transcript.ts'

type ReadItemsOptions<Name extends string> = Omit<ReadTranscriptOptions, 'format'> & {
  readonly format?: Name | TranscriptFormat | undefined
}

export const shippedFormats: FormatSet<TranscriptFormat, TranscriptItem> = {
  signs: formatSigns,
  readers: {
    throughline: readThroughline,
    'claude-code': readClaudeCode,
    codex: readCodex,
    pi: readPi,
    opencode: readOpencode,
    chatgpt: readChatgpt,
    openai: readOpenai,
    anthropic: readAnthropic,
    'ai-sdk': readAiSdk,
    messages: readMessages,
    text: readPlainTalk,
    'mini-swe': readMiniSwe,
  },
}

/**
 * Yields the conversations, messages, compactions, branches and problems of a transcript in the
 * order of the file. An empty source yields nothing. The engine accepts every yielded conversation
 * and message, even from a damaged file.
 *
 * @example
 * for await (const item of readTranscript(bytes, { name: 'session.jsonl' }))
 *   if (item.kind === 'message') console.log(item.conversationId, item.message.role)
 */
export async function* readTranscript(
  source: TranscriptSource,
  options: ReadTranscriptOptions = {},
): AsyncGenerator<TranscriptItem> {
  yield* readItems(shippedFormats, source, readOptions(options))
}

/** Reads any set of formats. */
export async function* readItems<Name extends string, Item extends StoredItem>(
  formats: FormatSet<Name | TranscriptFormat, Item>,
  source: TranscriptSource,
  settings: ReadItemsOptions<Name>,
): AsyncGenerator<Item | TranscriptProblem> {
  const damage: TranscriptProblem[] = []
  const text = sourceText(source, (line) => {
    damage.push({ kind: 'problem', line, reason: 'the line holds bytes that are not UTF-8' })
  })
  const storable = new StorableItems(settings.name || 'conversation')
  for await (const item of itemsOf(formats, text, settings)) {
    for (const problem of damage.splice(0)) yield abortIfBroken(problem, settings)
    yield storable.makeStorable(abortIfBroken(item, settings))
  }
  for (const problem of damage) yield abortIfBroken(problem, settings)
}

async function* itemsOf<Name extends string, Item>(
  { signs, readers }: FormatSet<Name | TranscriptFormat, Item>,
  text: AsyncGenerator<string>,
  options: ReadItemsOptions<Name>,
): AsyncGenerator<Item> {
  try {
    const leading = await leadingChunks(text)
    const head = leading.join('')
    if (head.trim() === '' && head.length < limits.headLength) return
    const format =
      options.format ?? detectIn<Name>(signs, head) ?? unknownFormat(head, signs, options.name)
    const chunks = (async function* () {
      yield* leading
      yield* text
    })()
    const name = options.name || null
    yield* readers[format]({ chunks, layout: detectLayout(head), name })
  } finally {
    await text.return(undefined)
  }
}

/** Enough of the beginning to detect the format, with a second line if there may be one. */
async function leadingChunks(text: AsyncGenerator<string>): Promise<readonly string[]> {
  const chunks: string[] = []
  let length = 0
  let lines = 0
  while (length < limits.headLength || (lines < 2 && length < limits.firstLineLength)) {
    const next = await text.next()
    if (next.done) break
    chunks.push(next.value)
    length += next.value.length
    lines += countLineStarts(next.value, lines)
  }
  return chunks
}

/** Counts the non-blank lines that start in a chunk, up to 3: the caller needs only two. */
function countLineStarts(chunk: string, linesBefore: number): number {
  const pieces = chunk.split('\n', 3)
  // After earlier text, the first piece continues a line.
  const starts = linesBefore === 0 ? pieces : pieces.slice(1)
  return starts.filter((line) => line.trim() !== '').length
}

function abortIfBroken<Item extends StoredItem>(item: Item, options: ReadItemsOptions<string>) {
  if (item.kind !== 'problem' || options.onBroken !== 'abort') return item
  const where = `${options.name ?? 'the transcript'}, line ${item.line}`
  throw new ThroughlineError('TRANSCRIPT_UNREADABLE', `${where}: ${item.reason}`)
}

function unknownFormat(
  head: string,
  signs: readonly (readonly [string, unknown])[],
  name: string | undefined,
): never {
  const reason = utf16.test(head)
    ? 'looks like UTF-16: write it as UTF-8'
    : `is in no format that can be read (${[...signs.map(([format]) => format), 'text'].join(', ')})`
  throw new ThroughlineError('TRANSCRIPT_UNREADABLE', `${name ?? 'the transcript'} ${reason}`)
}

/** Every other byte is zero; a byte order mark is not UTF-8. */
const utf16 = /^\uFFFD{0,2}(?:(?:[^\0]\0){4}|(?:\0[^\0]){4})/

/** The options of `readTranscript`. */
export interface ReadTranscriptOptions {
  /** Detected from the text if omitted. */
  readonly format?: TranscriptFormat | undefined
  /** `skip`: a broken line or record becomes a `problem` item. `abort`: it ends the reading. */
  readonly onBroken?: 'skip' | 'abort' | undefined
  /** Name of the source: used in error messages, and as the id of a conversation without one. */
  readonly name?: string | undefined
}

/** Null where the option takes any text. */
const optionValues: Readonly<Record<keyof ReadTranscriptOptions, readonly unknown[] | null>> = {
  format: transcriptFormats,
  onBroken: ['skip', 'abort'],
  name: null,
}

function readOptions(options: unknown): ReadTranscriptOptions {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw invalidArgument(`readTranscript expects an object of options, got ${describe(options)}`)
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(optionValues, name))
      throw invalidArgument(
        `readTranscript has no option "${name}"; it takes ${Object.keys(optionValues).join(', ')}`,
      )
    const values = optionValues[name as keyof ReadTranscriptOptions]
    const isAccepted = values?.includes(value) ?? typeof value === 'string'
    const accepts = values === null ? 'text' : `one of ${values.join(', ')}`
    if (value !== undefined && !isAccepted)
      throw invalidArgument(`option "${name}" must be ${accepts}, got ${describe(value)}`)
  }
  // Every field was checked above.
  return options as ReadTranscriptOptions
}
