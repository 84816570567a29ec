/** Computes the cost of requests in tokens of uncached input; a shared prefix is cached. */

/** A piece of a request in the provider's cache; equal text is the same object. */
export interface Piece {
  readonly tokens: number
}

/**
 * `plain`: cache writes are free and the cache never expires. `paid`: writes cost a quarter more, and five
 * minutes without a request empty the cache.
 */
const priceLists = {
  plain: { fresh: 1, warmMs: Number.POSITIVE_INFINITY },
  paid: { fresh: 1.25, warmMs: 300_000 },
} as const

const cachedPrice = 0.1
const outputPrice = 4

export type PriceList = keyof typeof priceLists
export type Costs = Readonly<Record<PriceList, number>>

export interface BilledRequest {
  readonly pieces: readonly Piece[]
  /** Null if unknown. */
  readonly at: number | null
  /** A summary request before it; null where there was none. */
  readonly summary: { readonly pieces: readonly Piece[]; readonly outputTokens: number } | null
}

type SentRequest = Pick<BilledRequest, 'pieces' | 'at'>

/** Replies are not billed: they are the same for every method. */
export class Bill {
  requests = 0
  /** Requests that do not extend the previous one. */
  breaks = 0
  /** Requests after a pause in which the cache would have expired. */
  cold = 0
  summaries = 0
  sentTokens = 0
  /** Tokens of the largest request. */
  mostTokens = 0
  readonly #costs: Record<PriceList, number> = { plain: 0, paid: 0 }
  #before: SentRequest | null = null

  /** Conversations share no cache. */
  beginConversation(): void {
    this.#before = null
  }

  /** Returns the cost, including the summary; the summarizing model has the chat in its cache. */
  add({ pieces, at, summary }: BilledRequest): Costs {
    const asked = summary === null ? null : this.#send({ pieces: summary.pieces, at })
    const written = outputPrice * (summary?.outputTokens ?? 0)
    const { costOf, isBreak, isCold } = this.#send({ pieces, at })
    this.requests += 1
    if (isBreak || summary !== null) this.breaks += 1
    if (isCold) this.cold += 1
    if (summary !== null) this.summaries += 1
    const charge = (list: PriceList) => {
      const [forSummary, cost] = [asked?.costOf(list) ?? 0, costOf(list)]
      this.#costs[list] = this.#costs[list] + forSummary + written + cost
      return forSummary + written + cost
    }
    return { plain: charge('plain'), paid: charge('paid') }
  }

  cost(list: PriceList): number {
    return this.#costs[list]
  }

  #send(request: SentRequest) {
    const before = this.#before
    const tokens = tokensOf(request.pieces)
    const common = before === null ? 0 : commonLength(before.pieces, request.pieces)
    const known = tokensOf(request.pieces.slice(0, common))
    const pauseMs = before?.at == null || request.at === null ? 0 : request.at - before.at
    this.sentTokens += tokens
    this.mostTokens = Math.max(this.mostTokens, tokens)
    this.#before = request
    return {
      costOf: (list: PriceList) => {
        const { fresh, warmMs } = priceLists[list]
        const cached = pauseMs > warmMs ? 0 : known
        return cachedPrice * cached + fresh * (tokens - cached)
      },
      isBreak: before !== null && common < before.pieces.length,
      isCold: pauseMs > priceLists.paid.warmMs,
    }
  }
}

/** The length of the common prefix. */
export function commonLength<Element>(before: readonly Element[], now: readonly Element[]): number {
  const differs = before.findIndex((element, at) => element !== now[at])
  return differs === -1 ? before.length : differs
}

export function tokensOf(pieces: Iterable<Piece>): number {
  let sum = 0
  for (const { tokens } of pieces) sum += tokens
  return sum
}
