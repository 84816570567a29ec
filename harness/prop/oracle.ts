/**
 * Counts the tokens of a request independently: the raw tokenizer over the bytes that would be sent.
 * It must not know how the engine counts.
 */

import * as o200k from 'gpt-tokenizer/encoding/o200k_base'
import {
  type Context,
  type FilePart,
  loadGptTokenizer,
  type ModelCardInput,
  type Tokenizer,
  type ToolSchema,
} from 'throughline'
import { cutLongRuns } from '../../packages/throughline/src/tokenizers/cut-long-runs.ts'
import type { ProviderFormat } from './providers.ts'

const asPlainText = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() }

// Cuts long runs as the engine does: counting them whole takes quadratic time.
const countRaw = cutLongRuns((text) => o200k.countTokens(text, asPlainText))

const pictureTokens = 40

/** A card for a window of this many tokens, counted exactly, with cheap pictures. */
export function cardOf(windowTokens: number): ModelCardInput {
  return {
    id: `prop-${windowTokens}`,
    contextWindowTokens: windowTokens,
    tokenizer: 'o200k_base',
    pictures: { kind: 'fixed', tokens: pictureTokens },
  }
}

/** The window less a quarter (at most 4,096) for the reply, and 2 % for unreported tokens. */
export function availableIn(windowTokens: number): number {
  const reserve = Math.min(4_096, Math.floor(windowTokens * 0.25))
  return windowTokens - reserve - Math.floor(windowTokens * 0.02)
}

const shipped = await loadGptTokenizer('o200k_base')

/** The engine's own tokenizer with a cache: twelve windows count the same texts. */
export function rememberingTokenizer(): Tokenizer {
  if (shipped === null) throw new Error('gpt-tokenizer is not installed')
  return { ...shipped, count: remembered((text) => shipped.count(text)) }
}

function remembered(count: (text: string) => number): (text: string) => number {
  const known = new Map<string, number>()
  return (text) => {
    const tokens = known.get(text) ?? count(text)
    known.set(text, tokens)
    return tokens
  }
}

export interface Oracle {
  /** Tokens of a text, whole. */
  text(text: string): number
  /** Tokens of a request as it is sent; the base64 of files is billed as files are. */
  request(format: ProviderFormat, request: object, context: Counted): number
}

type Counted = Pick<Context, 'files' | 'messages' | 'tools'>

/** Caches its counts: budgets above the history give the same requests. */
export function createOracle(): Oracle {
  const count = remembered(countRaw)
  return {
    text: count,
    request(format, request, context) {
      const { json, mediaTokens } = withoutMedia(request, context)
      // AI SDK tools are functions of the caller, sent next to what the adapter writes.
      const tools: readonly ToolSchema[] = format === 'ai-sdk' ? context.tools : []
      return count(json) + mediaTokens + (tools.length === 0 ? 0 : count(JSON.stringify(tools)))
    },
  }
}

function withoutMedia(
  request: object,
  context: Counted,
): { readonly json: string; readonly mediaTokens: number } {
  const prices = pricesOf(context)
  let mediaTokens = 0
  const json = JSON.stringify(request, (_, value: unknown) => {
    const data = value instanceof Uint8Array ? base64Of(value) : dataIn(value)
    const price = data === null ? undefined : prices.get(data)
    if (price === undefined || data === null) return value
    mediaTokens += price.tokens
    return price.inline ? '' : value
  })
  return { json, mediaTokens }
}

function dataIn(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const end = value.startsWith('data:') ? value.indexOf(';base64,') : -1
  return end === -1 ? value : value.slice(end + ';base64,'.length)
}

interface Price {
  readonly tokens: number
  readonly inline: boolean
}

/** By the base64 of a file or by its URL. */
function pricesOf({ files, messages }: Counted): ReadonlyMap<string, Price> {
  const prices = new Map<string, Price>()
  for (const { source, mediaType } of messages.flatMap(({ parts }) => filesIn(parts))) {
    const picture = mediaType.startsWith('image')
    if (source.kind === 'url') {
      if (picture) prices.set(source.url, { tokens: pictureTokens, inline: false })
      continue
    }
    const bytes = files.get(source.sha256)
    if (bytes === undefined || bytes.length === 0) continue
    const tokens = picture ? pictureTokens : Math.ceil(bytes.length / bytesPerToken(mediaType))
    prices.set(base64Of(bytes), { tokens, inline: true })
  }
  return prices
}

/** How the engine bills files other than pictures: no card has a rule for them. */
function bytesPerToken(mediaType: string): number {
  if (mediaType.startsWith('audio/') || mediaType.startsWith('video/')) return 64
  return /^text\/|json|csv|xml|yaml/.test(mediaType) ? 2 : 4
}

function filesIn(parts: Context['messages'][number]['parts']): readonly FilePart[] {
  return parts.flatMap((part): readonly FilePart[] => {
    if (part.type === 'file') return [part]
    if (part.type !== 'tool-result' || part.output.kind !== 'parts') return []
    return part.output.parts.filter((inner) => inner.type === 'file')
  })
}

function base64Of(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}
