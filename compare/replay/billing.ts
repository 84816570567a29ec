/**
 * What the requests of one conversation cost, in tokens of fresh input, as Anthropic prices its cache: a write
 * costs 1.25 (five minutes) or 2 (an hour), a read 0.1. A request writes what it does not read; the
 * requests of a summarizer are sent once, so they are fresh, and their output costs 5.
 */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { commonLength } from '../../packages/throughline/src/cli/simulation/bill.ts'
import type { Scored, SummaryCall } from './scoring.ts'

export interface CacheBill {
  fresh: number
  read: number
  written: number
  cost: number
}

export interface Billed {
  requests: number
  /** Requests that do not repeat the one before as their beginning. */
  breaks: number
  /** With a cache of five minutes, and of an hour. */
  readonly minutes: CacheBill
  readonly hour: CacheBill
}

const prices = { fresh: 1, read: 0.1, output: 5 } as const
const caches = {
  minutes: { write: 1.25, livesMs: 5 * 60_000 },
  hour: { write: 2, livesMs: 60 * 60_000 },
} as const
/** Providers cache nothing shorter. */
const leastTokens = 1_024

export function billing() {
  const counts = new Map<string, number>()
  const tokensOf = (text: string): number => {
    const tokens = counts.get(text) ?? countTokens(text, { allowedSpecial: 'all' })
    counts.set(text, tokens)
    return tokens
  }
  const empty = (): CacheBill => ({ fresh: 0, read: 0, written: 0, cost: 0 })
  const billed: Billed = { requests: 0, breaks: 0, minutes: empty(), hour: empty() }
  let before: { readonly pieces: readonly string[]; readonly at: number | null } | null = null
  return {
    billed,
    /** The tokens of the request. */
    add: ({ pieces, turn, summary }: Scored): number => {
      const sizes = pieces.map(tokensOf)
      const tokens = sum(sizes)
      const common = before === null ? 0 : commonLength(before.pieces, pieces)
      const known = sum(sizes.slice(0, common))
      const pauseMs = before?.at == null || turn.at === null ? 0 : turn.at - before.at
      billed.requests += 1
      if (before !== null && common < before.pieces.length) billed.breaks += 1
      for (const name of ['minutes', 'hour'] as const) {
        const { write, livesMs } = caches[name]
        const read = pauseMs > livesMs || known < leastTokens ? 0 : known
        const rest = tokens - read
        const written = tokens < leastTokens ? 0 : rest
        charge(billed[name], { read, written, fresh: rest - written }, write)
        for (const { prompt, answer } of callsOf(summary)) {
          charge(billed[name], { read: 0, written: 0, fresh: tokensOf(prompt) }, write)
          billed[name].cost += tokensOf(answer) * prices.output
        }
      }
      before = { pieces, at: turn.at }
      return tokens
    },
  }
}

function charge(
  bill: CacheBill,
  { read, written, fresh }: Omit<CacheBill, 'cost'>,
  write: number,
): void {
  bill.read += read
  bill.written += written
  bill.fresh += fresh
  bill.cost += read * prices.read + written * write + fresh * prices.fresh
}

function* callsOf(summary: SummaryCall | null): Iterable<SummaryCall> {
  for (let call = summary; call !== null; call = call.before) yield call
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
