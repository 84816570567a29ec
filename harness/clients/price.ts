/**
 * What the input of a session costs with a simulated prompt cache: a breakpoint stores the request up to its block,
 * and a later request reads the longest stored beginning that is at most twenty blocks before one of its own.
 */
import { createHash } from 'node:crypto'
import { loadGptTokenizer } from 'throughline'
import type { ScriptedUpstream } from '../gateway/scripted-upstream.ts'
import { type Fields, listOf } from './sent-request.ts'

export interface InputPrice {
  readonly requests: number
  /** Tokens of all requests, and of those how many were read from the cache and written to it. */
  readonly tokens: number
  readonly read: number
  readonly written: number
  /** In tokens at the full price. */
  readonly weighted: number
}

/** As Anthropic charges: a part of the price of a token that is not cached. */
const weights = { read: 0.1, fiveMinutes: 1.25, oneHour: 2 } as const
const blocksBefore = 20

interface Block {
  readonly tokens: number
  /** Of the request up to its end. */
  readonly chain: string
  /** The weight of a write; null without a breakpoint. */
  readonly writes: number | null
}

/** All requests count as sent within the life of a breakpoint. */
export async function inputPrice(calls: ScriptedUpstream['calls']): Promise<InputPrice> {
  const tokenizer = await loadGptTokenizer('o200k_base')
  if (tokenizer === null) throw new Error('gpt-tokenizer is not installed')
  const counted = new Map<string, number>()
  const tokensOf = (text: string) => {
    const known = counted.get(text) ?? tokenizer.count(text)
    counted.set(text, known)
    return known
  }
  const stored = new Set<string>()
  const sum = { requests: 0, tokens: 0, read: 0, written: 0, weighted: 0 }
  for (const { api, path, status, body } of calls) {
    if (api !== 'anthropic' || status !== 200 || path.includes('count_tokens')) continue
    const blocks = blocksOf(JSON.parse(body.toString()) as Fields, tokensOf)
    const { read, written, weight } = cached(blocks, stored)
    const tokens = tokensBefore(blocks, blocks.length)
    sum.requests += 1
    sum.tokens += tokens
    sum.read += read
    sum.written += written
    sum.weighted += read * weights.read + written * weight + (tokens - read - written)
  }
  return { ...sum, weighted: Math.round(sum.weighted) }
}

function cached(blocks: readonly Block[], stored: Set<string>) {
  const hints = blocks.flatMap(({ writes }, at) => (writes === null ? [] : [at]))
  const found = hints.flatMap((at) => {
    const from = Math.max(0, at - blocksBefore)
    const near = blocks.slice(from, at + 1)
    const last = near.findLastIndex(({ chain }) => stored.has(chain))
    return last < 0 ? [] : [from + last + 1]
  })
  const readBlocks = Math.max(0, ...found)
  const writtenBlocks = Math.max(readBlocks, (hints.at(-1) ?? -1) + 1)
  for (const at of hints) stored.add(blocks[at]?.chain ?? '')
  const read = tokensBefore(blocks, readBlocks)
  return {
    read,
    written: tokensBefore(blocks, writtenBlocks) - read,
    weight: blocks[hints.at(-1) ?? -1]?.writes ?? 1,
  }
}

function tokensBefore(blocks: readonly Block[], end: number): number {
  return blocks.slice(0, end).reduce((sum, { tokens }) => sum + tokens, 0)
}

/** In the order of the service: tools, system prompt, messages. */
function blocksOf(
  { model, tools, system, messages }: Fields,
  tokensOf: (text: string) => number,
): readonly Block[] {
  const texts = (value: unknown) =>
    typeof value === 'string' ? [{ type: 'text', text: value }] : listOf(value)
  const all = [
    ...listOf(tools),
    ...texts(system),
    ...listOf(messages).flatMap(({ role, content }) =>
      texts(content).map((block) => ({ ...block, role })),
    ),
  ] as readonly Fields[]
  let chain = String(model)
  return all.map(({ cache_control: hint, ...block }) => {
    const text = JSON.stringify(block)
    chain = createHash('sha256').update(chain).update(text).digest('base64')
    const { ttl } = (hint ?? {}) as Fields
    const weight = ttl === '1h' ? weights.oneHour : weights.fiveMinutes
    return { tokens: tokensOf(text), chain, writes: hint === undefined ? null : weight }
  })
}
