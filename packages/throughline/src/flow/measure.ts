/**
 * Stage 2 of 8: measure. Text and messages in, tokens out. Pure, but for its memory.
 *
 * Everything that fills the window is counted: system prompt, tool schemas, calls
 * and results, pictures, sealed blocks, names, and the frame around each message.
 * Only what is new is counted: a message is known by its hashes. By both, because one
 * line of a transcript, as it stood on the wire, may hold two messages.
 *
 * This is our count. What the provider will report for it is the calibration's
 * business (`domain/calibration.ts`).
 */
import { defaults } from '../defaults.ts'
import type { JsonValue } from '../domain/json.ts'
import type { Message, MessageHashes } from '../domain/message.ts'
import type { ModelCard } from '../domain/model-card.ts'
import type { Tokenizer } from '../ports/tokenizer.ts'
import { type CountCache, createCountCache } from './measure-cache.ts'
import { partTokens } from './measure-parts.ts'

/** What we need of a message; without hashes it is counted each time. */
export type Measurable = Pick<Message, 'author' | 'parts'> & {
  readonly hashes?: Pick<MessageHashes, 'content' | 'canonical'> | undefined
}

export interface ToolSchema {
  readonly name: string
  readonly description?: string | undefined
  readonly parameters?: JsonValue | undefined
}

export interface MeasuredRequest {
  readonly tokens: number
  readonly parts: {
    readonly system: number
    readonly tools: number
    readonly messages: number
    readonly overhead: number
  }
}

export interface Meter {
  readonly card: ModelCard
  readonly tokenizer: Tokenizer
  /** A text alone, without any frame. */
  text(text: string): number
  message(message: Measurable): number
  messages(messages: Iterable<Measurable>): number
  tools(tools: readonly ToolSchema[]): number
  request(request: {
    readonly system?: string | null | undefined
    readonly tools?: readonly ToolSchema[] | undefined
    readonly messages: Iterable<Measurable>
  }): MeasuredRequest
}

export interface MeterOptions {
  readonly card: ModelCard
  readonly tokenizer: Tokenizer
  /** Messages whose count is remembered. */
  readonly cacheEntries?: number | undefined
}

// System prompts, schemas and summaries come again with each request. Few and long.
const textCacheEntries = 64
const cachedTextCharacters = { from: 256, to: 65_536 }

/**
 * @example
 * const meter = createMeter({ card: findModel('gpt-4o').card, tokenizer })
 * meter.request({ system, tools, messages }).tokens
 */
export function createMeter(options: MeterOptions): Meter {
  const { card, tokenizer } = options
  const messageCounts = createCountCache(options.cacheEntries ?? defaults.meterCacheEntries.value)
  const textCounts = createCountCache(textCacheEntries)
  // An estimate is of o200k's tokens; the model's own vocabulary may cut finer.
  const factor = tokenizer.exact ? 1 : card.tokensPerEstimate
  const count = (text: string) => Math.ceil(tokenizer.count(text) * factor)
  const counting = { card, text: count }

  const meter: Meter = {
    card,
    tokenizer,
    text: (text) => rememberedText(text, count, textCounts),
    message(message) {
      const frame = card.overhead.perMessageTokens
      const author = message.author === null ? 0 : count(message.author) + 1
      return frame + author + contentTokens(message)
    },
    messages(messages) {
      let tokens = 0
      for (const message of messages) tokens += meter.message(message)
      return tokens
    },
    tools(tools) {
      let tokens = tools.length === 0 ? 0 : card.overhead.toolPreambleTokens
      for (const tool of tools) tokens += card.overhead.perToolTokens + meter.text(toolText(tool))
      return tokens
    },
    request({ system, tools, messages }) {
      const parts = {
        system: system ? card.overhead.perMessageTokens + meter.text(system) : 0,
        tools: meter.tools(tools ?? []),
        messages: meter.messages(messages),
        overhead: card.overhead.perRequestTokens,
      }
      return { tokens: parts.system + parts.tools + parts.messages + parts.overhead, parts }
    },
  }
  return meter

  function contentTokens({ parts, hashes }: Measurable): number {
    const countParts = () => {
      let tokens = 0
      for (const part of parts) tokens += partTokens(part, counting)
      return tokens
    }
    return hashes === undefined
      ? countParts()
      : messageCounts.get(`${tokenizer.id} ${hashes.content} ${hashes.canonical}`, countParts)
  }
}

function rememberedText(text: string, count: (text: string) => number, counts: CountCache): number {
  const worthKeeping =
    text.length >= cachedTextCharacters.from && text.length <= cachedTextCharacters.to
  return worthKeeping ? counts.get(text, () => count(text)) : count(text)
}

function toolText({ name, description, parameters }: ToolSchema): string {
  return JSON.stringify({ name, description, parameters })
}
