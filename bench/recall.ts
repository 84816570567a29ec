/**
 * Evidence recall: of the messages that contain the answer to a question, the share that is in the
 * context when the question comes next, in a context of a given size; and whether the words of the
 * answer are there, if the log has them. Without a folder: what a search costs in a long log,
 * compared with a bare database query.
 */
import { dirname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import {
  type Context,
  createThroughline,
  isThroughlineError,
  loadEstimator,
  loadGptTokenizer,
  type Message,
  type Store,
  type Tokenizer,
} from 'throughline'
import { memory } from 'throughline/stores/memory'
import type { ConversationHandle } from '../packages/throughline/src/conversation/handle.ts'
import { textOfParts } from '../packages/throughline/src/flow/text/readable-text.ts'
import { recallBaselines, type SearchedLog } from './recall/baselines.ts'
import { type AskedQuestion, askedConversations } from './recall/questions.ts'
import { shownWords } from './recall/shown.ts'
import { recallSpeedRows } from './recall/speed.ts'
import type { BenchOptions, BenchRow } from './report.ts'
import { shippedSizes } from './shipped-sizes.ts'
import { type TranscriptFile, transcriptFiles } from './transcript-files.ts'

export async function measureRecall(options: BenchOptions): Promise<readonly BenchRow[]> {
  const { dataDir, progress, sizes = shippedSizes.recall } = options
  return dataDir === null
    ? recallSpeedRows()
    : recallRows(transcriptFiles(dataDir, progress), sizes)
}

export async function recallRows(
  files: readonly TranscriptFile[],
  sizes: readonly number[],
  /** What a model receives of a context; a test may remove parts of it. */
  delivered: (context: Context) => Context = (context) => context,
): Promise<readonly BenchRow[]> {
  const tokenizer = (await loadGptTokenizer('o200k_base')) ?? (await loadEstimator())
  const tally = new Tally()
  for (const found of Map.groupBy(files, ({ name }) => dirname(name)).values())
    for (const { source, messages, questions } of await askedConversations(found)) {
      const store = memory()
      const chat = createThroughline({ store }).conversation(conversation)
      await chat.append(messages)
      const log = await searchedLog(chat, tokenizer)
      for (const [number, asked] of questions.entries())
        for (const size of sizes)
          await addQuestion(
            { source, size, number, asked, log, store, tokenizer, delivered },
            tally,
          )
    }
  return tally.rows()
}

const conversation = 'asked'

async function searchedLog(chat: ConversationHandle, tokenizer: Tokenizer): Promise<SearchedLog> {
  const messages = await Array.fromAsync(chat.messages())
  return { messages, tokens: messages.map((message) => costOf(message, tokenizer)) }
}

function costOf({ author, parts }: Message, { count }: Tokenizer): number {
  return count(`${author ?? ''} ${textOfParts(parts)}`) + frameTokens
}

// Overhead per message of a request.
const frameTokens = 4

interface Asked {
  readonly source: string
  readonly size: number
  readonly number: number
  readonly asked: AskedQuestion
  readonly log: SearchedLog
  readonly store: Store
  readonly tokenizer: Tokenizer
  readonly delivered: (context: Context) => Context
}

async function addQuestion(question: Asked, tally: Tally): Promise<void> {
  const { source, size, asked, log } = question
  const evidence = asked.evidence.flatMap((place) => log.messages[place] ?? [])
  if (evidence.length === 0) return
  const answer = folded(asked.answer ?? '')
  const isWritten = answer !== '' && folded(textOf(log.messages)).includes(answer)
  const add = (method: string, shown: (message: Message) => boolean, text: string) => {
    const share = evidence.filter(shown).length / evidence.length
    tally.add({ source, method, size, unit: 'share of the evidence' }, share)
    if (isWritten)
      tally.add(
        { source, method, size, unit: 'share of answers' },
        Number(folded(text).includes(answer)),
      )
  }
  for (const [method, make] of Object.entries(recallBaselines)) {
    const places = make(log, asked.question, size)
    const shown = log.messages.filter(({ seq }) => places.has(seq))
    add(method, ({ seq }) => places.has(seq), textOf(shown))
  }
  const context = await contextOfSize(question)
  if (context === null) {
    add('throughline', () => false, '')
    return
  }
  const words = shownWords(question.delivered(context), log.messages.length)
  add('throughline', (message) => words.shows(message), words.text)
  tally.add({ source, method: 'throughline', size, unit: 'tokens' }, context.tokens)
}

function folded(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim()
}

function textOf(messages: readonly Message[]): string {
  return messages.map(({ parts }) => textOfParts(parts)).join('\n')
}

/** Tries windows and takes the largest whose context is not too large; each is another model. */
async function contextOfSize({
  size,
  number,
  asked,
  store,
  tokenizer,
}: Asked): Promise<Context | null> {
  let windowTokens = size * 2
  let best: Context | null = null
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const model = `window-${number}-${size}-${windowTokens}`
    const card = { id: model, contextWindowTokens: windowTokens }
    const chat = createThroughline({ store, tokenizer, models: [card] }).conversation(conversation)
    const next = { role: 'user', content: asked.question } as const
    const context = await chat.context({ model, next }).catch(unlessTooSmall)
    // Background work waits for the event loop and keeps its engine in memory.
    await setImmediate()
    const tokens = context?.tokens ?? 1
    if (context !== null && tokens <= size && tokens > (best?.tokens ?? 0)) best = context
    if (tokens <= size && tokens >= size * nearEnough) break
    const ratio = Math.min(4, Math.max(0.25, (size * aimedShare) / tokens))
    windowTokens = Math.ceil(windowTokens * ratio)
  }
  return best
}

const attempts = 8
const nearEnough = 0.97
const aimedShare = 0.985

function unlessTooSmall(error: unknown): null {
  if (isThroughlineError(error) && error.code === 'CONTEXT_OVERFLOW') return null
  throw error
}

type Key = Pick<BenchRow, 'source' | 'method' | 'size' | 'unit'>

class Tally {
  readonly #sums = new Map<string, { readonly key: Key; sum: number; n: number }>()

  add(key: Key, value: number): void {
    const name = JSON.stringify(key)
    const found = this.#sums.get(name) ?? { key, sum: 0, n: 0 }
    found.sum += value
    found.n += 1
    this.#sums.set(name, found)
  }

  rows(): readonly BenchRow[] {
    return [...this.#sums.values()]
      .map(({ key, sum, n }) => ({ ...key, value: sum / n, n }))
      .sort((left, right) => orderOf(left).localeCompare(orderOf(right)))
  }
}

function orderOf({ source, unit, method, size }: BenchRow): string {
  return `${source} ${unit} ${method} ${String(size).padStart(9, '0')}`
}
