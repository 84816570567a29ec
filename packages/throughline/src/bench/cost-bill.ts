/**
 * What the requests of conversations cost, in tokens of fresh input: what a request begins
 * with like the one before is read from the provider's cache, as long as that is warm.
 */
import { type Piece, tokensOf } from './cost-pieces.ts'

const prices = { read: 0.1, fresh: 1, written: 1.25, output: 4 } as const
/** A cache that nobody has asked for so long is empty. */
const warmMs = 300_000

export interface BilledRequest {
  readonly pieces: readonly Piece[]
  /** When it was sent; null where nobody knows. */
  readonly at: number | null
  /** What the model answers. */
  readonly replyTokens: number
  /** A request that went before it, for a summary, and what came back; null where none did. */
  readonly summary: { readonly promptTokens: number; readonly outputTokens: number } | null
}

export class Bill {
  requests = 0
  /** Requests that do not begin with all of the one before. */
  breaks = 0
  /** Requests before which the cache had gone cold. */
  cold = 0
  summaries = 0
  #before: BilledRequest | null = null
  #readTokens = 0
  #freshTokens = 0
  #summaryTokens = 0
  #summaryOutputTokens = 0
  #replyTokens = 0

  /** Nothing of one conversation is in the cache for another. */
  beginConversation(): void {
    this.#before = null
  }

  add(request: BilledRequest): void {
    const { pieces, summary } = request
    const before = this.#before
    const common = before === null ? 0 : commonPieces(before.pieces, pieces)
    const isWarm = before !== null && !isCold(before, request)
    const read = isWarm ? tokensOf(pieces.slice(0, common)) : 0
    this.requests += 1
    this.#readTokens += read
    this.#freshTokens += tokensOf(pieces) - read
    this.#replyTokens += request.replyTokens
    if (before !== null && common < before.pieces.length) this.breaks += 1
    if (before !== null && !isWarm) this.cold += 1
    if (summary !== null) {
      this.summaries += 1
      this.#summaryTokens += summary.promptTokens
      this.#summaryOutputTokens += summary.outputTokens
    }
    this.#before = request
  }

  /** Prompts and summaries; what is written to the cache is free or has its price. */
  promptCost(writes: 'free' | 'paid'): number {
    const fresh = writes === 'paid' ? prices.written : prices.fresh
    return (
      prices.read * this.#readTokens +
      fresh * this.#freshTokens +
      // Asked for once and in other words: no cache knows it, and none is to keep it.
      prices.fresh * this.#summaryTokens +
      prices.output * this.#summaryOutputTokens
    )
  }

  /** With the replies, which are the same whatever the prompt was. */
  cost(writes: 'free' | 'paid'): number {
    return this.promptCost(writes) + prices.output * this.#replyTokens
  }
}

function commonPieces(before: readonly Piece[], now: readonly Piece[]): number {
  const differs = before.findIndex((piece, at) => piece !== now[at])
  return differs === -1 ? before.length : differs
}

function isCold(before: BilledRequest, { at }: BilledRequest): boolean {
  return before.at !== null && at !== null && at - before.at > warmMs
}
