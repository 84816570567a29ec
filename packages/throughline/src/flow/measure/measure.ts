/**
 * The meter: counts the tokens of texts, messages and requests. Pure, except for its caches.
 *
 * It has two counts: `tokens`, the expected count of the provider, and `wire`, an upper bound for
 * the message as JSON. `domain/calibration.ts` corrects them with reported usage. Sizes are cached
 * by both hashes, because one line of a transcript may contain two messages.
 */
import { defaults } from '../../defaults-data.ts'
import type { Size, ToolSchema } from '../../domain/context.ts'
import type { Message, MessageHashes } from '../../domain/message.ts'
import type { ModelCard } from '../../domain/model-card.ts'
import type { Tokenizer } from '../../ports/tokenizer.ts'
import { type BoundedCache, createBoundedCache, getOrMake } from '../text/bounded-cache.ts'
import type { Count } from '../text/excerpt.ts'
import {
  cachedTextCharacters,
  closeCacheEntries,
  maxCountedCharactersPerToken,
  maxJsonCharacters,
  minCountedCharacters,
  textCacheEntries,
  wireFrame,
} from './measure-data.ts'
import { partTokens } from './measure-parts.ts'
import { boundJsonTextTokens, jsonTextTokens, wireMessageTokens } from './measure-wire.ts'

/** The fields that counting needs; a message without hashes is counted each time. */
export type Measurable = Pick<Message, 'author' | 'parts'> & {
  readonly role?: Message['role'] | undefined
  readonly meta?: Message['meta'] | undefined
  readonly hashes?: Pick<MessageHashes, 'content' | 'canonical'> | undefined
}

interface MeasuredRequest {
  readonly tokens: number
  readonly parts: {
    readonly system: number
    readonly tools: number
    readonly messages: number
    readonly overhead: number
  }
}

/** Counts the tokens of messages, tools and whole requests for one model. */
export interface Meter {
  readonly card: ModelCard
  readonly tokenizer: Tokenizer
  /** A text alone, without any frame. */
  text(text: string): number
  /** A message with its frame. */
  message(message: Measurable): number
  /** Several messages, each with its frame. */
  messages(messages: Iterable<Measurable>): number
  /** The schemas of tools, as the provider writes them out for its model. */
  tools(tools: readonly ToolSchema[]): number
  /** A whole request: system prompt, tools and messages together. */
  request(request: {
    readonly system?: string | null | undefined
    readonly tools?: readonly ToolSchema[] | undefined
    readonly messages: Iterable<Measurable>
  }): MeasuredRequest
  /** A message with its frame: its tokens, and an upper bound for its JSON. */
  size(message: Measurable): Size
  /** The same with the exact size of the JSON, which takes twice as long. */
  closeSize(message: Measurable): Size
  /** A system prompt, counted and bounded. */
  systemSize(text: string): Size
  /** Tools, counted and bounded. */
  toolsSize(tools: readonly ToolSchema[]): Size
}

/** Counts only texts. */
export type TextMeter = Pick<Meter, 'text'>

/** The options of `createMeter`. */
export interface MeterOptions {
  readonly card: ModelCard
  readonly tokenizer: Tokenizer
  /** How many messages the cache of counts can contain. */
  readonly cacheEntries?: number | undefined
}

/**
 * Counts messages, tools and whole requests as a model will, with a tokenizer of your own choice.
 *
 * @example
 * const meter = createMeter({ card: findModel('gpt-4o').card, tokenizer })
 * meter.request({ system, tools, messages }).tokens
 */
export function createMeter(options: MeterOptions): Meter {
  const { card, tokenizer } = options
  const sizes = createBoundedCache<Size>(options.cacheEntries ?? defaults.meterCacheEntries)
  const closeSizes = createBoundedCache<Size>(closeCacheEntries)
  const textCounts = createBoundedCache<number>(textCacheEntries)
  const { overhead } = card
  // An estimate is in o200k tokens; the model's own tokenizer may produce more.
  const factor = tokenizer.exact ? 1 : card.tokensPerEstimate
  const windowCharacters = card.contextWindowTokens * maxCountedCharactersPerToken
  const maxCountedCharacters = Math.max(minCountedCharacters, windowCharacters)
  const count = (text: string) => {
    const isCounted = text.length <= maxCountedCharacters
    return Math.ceil(isCounted ? tokenizer.count(text) * factor : text.length / 4)
  }
  const { min, max } = cachedTextCharacters
  const meter: Meter = {
    card,
    tokenizer,
    text: (text) =>
      text.length >= min && text.length <= max
        ? textCounts.get(text, () => count(text))
        : count(text),
    message: (message) => meter.size(message).tokens,
    messages: (messages) =>
      Iterator.from(messages).reduce((sum, message) => sum + meter.message(message), 0),
    tools(tools) {
      let tokens = tools.length === 0 ? 0 : overhead.toolPreambleTokens
      for (const tool of tools) tokens += overhead.perToolTokens + meter.text(toolText(tool))
      return tokens
    },
    request({ system, tools, messages }) {
      const parts = {
        system: system ? overhead.perMessageTokens + meter.text(system) : 0,
        tools: meter.tools(tools ?? []),
        messages: meter.messages(messages),
        overhead: overhead.perRequestTokens,
      }
      return { tokens: parts.system + parts.tools + parts.messages + parts.overhead, parts }
    },
    size: (message) => cachedSize(message, sizes, sizeOf),
    closeSize: (message) => cachedSize(message, closeSizes, closeSizeOf),
    systemSize: (text) => ({
      tokens: overhead.perMessageTokens + meter.text(text),
      wire: wireFrame.system + jsonTextTokens(text, meter.text),
    }),
    toolsSize(tools) {
      let wire = tools.length === 0 ? 0 : wireFrame.tools
      for (const tool of tools) {
        wire += wireFrame.tool + meter.text(toolText(tool))
        if (tool.parameters === undefined) wire += wireFrame.emptySchema
      }
      // Providers add hidden text for tools that is not in the JSON but fills the window.
      const tokens = meter.tools(tools)
      return { tokens, wire: Math.max(tokens, wire) }
    },
  }
  return meter

  function cachedSize(message: Measurable, cache: BoundedCache<Size>, measure: SizeOf): Size {
    const { hashes } = message
    // Messages without hashes are not in the log: we render them, and `meter.text` caches their texts.
    if (hashes === undefined) return measure(message, meter.text)
    const author = message.author === null ? '' : ` ${message.author}`
    const key = `${hashes.content} ${hashes.canonical}${author}`
    return cache.get(key, () => measure(message, memoize(count)))
  }

  function sizeOf(message: Measurable, text: Count): Size {
    const { author, parts } = message
    const counting = { card, text }
    let tokens = overhead.perMessageTokens + (author === null ? 0 : count(author) + 1)
    for (const part of parts) tokens += partTokens(part, counting)
    return { tokens, wire: Math.max(tokens, wireOf(message, boundJsonTextTokens, text)) }
  }

  /** Reuses the tokens of `size` and replaces only the bound. */
  function closeSizeOf(message: Measurable, text: Count): Size {
    const { tokens } = meter.size(message)
    return { tokens, wire: Math.max(tokens, wireOf(message, jsonTextTokens, text)) }
  }

  function wireOf(
    message: Measurable,
    countAsJson: (text: string, count: Count) => number,
    text: Count,
  ): number {
    const { role = null, author, meta = null, parts } = message
    const counting = {
      card,
      text,
      // Encoding 64 MB as JSON would copy it, so a giant text gets the worst case.
      jsonText: (content: string) =>
        content.length > maxCountedCharacters
          ? text(content) * maxJsonCharacters
          : countAsJson(content, text),
    }
    return wireMessageTokens({ role, author, meta, parts }, counting)
  }
}

type SizeOf = (message: Measurable, text: Count) => Size

/** Both counts of a message need the same texts. */
function memoize(count: Count): Count {
  const counts = new Map<string, number>()
  return (text) => getOrMake(counts, text, () => count(text))
}

function toolText({ name, description, parameters, metadata }: ToolSchema): string {
  return JSON.stringify({ name, description, parameters, metadata })
}
