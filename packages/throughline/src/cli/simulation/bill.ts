/**
 * What the requests of conversations cost, in tokens of fresh input: what a request begins
 * with like the one before is read from the provider's cache.
 */
import type { Context, ContextMessage, Meter, TextPart, ToolSchema } from '../../index.ts'

interface Prices {
  /** What the cache knows. */
  readonly read: number
  readonly fresh: number
  readonly output: number
  /** A cache that nobody has asked for longer is empty. */
  readonly warmMs: number
}

/**
 * `plain`: what is written to the cache costs nothing, and it keeps what it has. `paid`: it costs
 * a quarter more, and five minutes without a request empty the cache.
 */
const priceLists = {
  plain: { read: 0.1, fresh: 1, output: 4, warmMs: Number.POSITIVE_INFINITY },
  paid: { read: 0.1, fresh: 1.25, output: 4, warmMs: 300_000 },
} as const satisfies Record<string, Prices>

export type PriceList = keyof typeof priceLists

export type Costs = Readonly<Record<PriceList, number>>

export interface BilledRequest {
  readonly pieces: readonly Piece[]
  /** When it was sent; null where nobody knows. */
  readonly at: number | null
  /** A request that went before it, for a summary, and what came back; null where none did. */
  readonly summary: { readonly pieces: readonly Piece[]; readonly outputTokens: number } | null
}

/** Replies are the same, whatever the prompt was: they are on no bill. */
export class Bill {
  requests = 0
  /** Requests that do not begin with all of the one before. */
  breaks = 0
  /** Requests before which a cache would have gone cold. */
  cold = 0
  summaries = 0
  sentTokens = 0
  /** Of the largest request. */
  mostTokens = 0
  #costs: Record<PriceList, number> = { plain: 0, paid: 0 }
  #before: Pick<BilledRequest, 'pieces' | 'at'> | null = null

  /** Nothing of one conversation is in the cache for another. */
  beginConversation(): void {
    this.#before = null
  }

  /** Answers with what it has cost, its summary included. */
  add({ pieces, at, summary }: BilledRequest): Costs {
    const told = summary === null ? { plain: 0, paid: 0 } : this.#addSummary(summary, at)
    const { costs, isBreak, isCold } = this.#send({ pieces, at })
    this.requests += 1
    if (isBreak || summary !== null) this.breaks += 1
    if (isCold) this.cold += 1
    return { plain: told.plain + costs.plain, paid: told.paid + costs.paid }
  }

  cost(list: PriceList): number {
    return this.#costs[list]
  }

  /** A model that has the chat in its cache is asked behind it, and what it writes is paid for. */
  #addSummary(
    { pieces, outputTokens }: NonNullable<BilledRequest['summary']>,
    at: BilledRequest['at'],
  ): Costs {
    const { costs } = this.#send({ pieces, at })
    this.summaries += 1
    const written = (list: PriceList) => priceLists[list].output * outputTokens
    this.#costs.plain += written('plain')
    this.#costs.paid += written('paid')
    return { plain: costs.plain + written('plain'), paid: costs.paid + written('paid') }
  }

  #send(request: Pick<BilledRequest, 'pieces' | 'at'>) {
    const before = this.#before
    const tokens = tokensOf(request.pieces)
    const common = before === null ? 0 : commonPieces(before.pieces, request.pieces)
    const known = tokensOf(request.pieces.slice(0, common))
    const pauseMs = before?.at == null || request.at === null ? 0 : request.at - before.at
    const costOf = ({ read, fresh, warmMs }: Prices) => {
      const cached = pauseMs > warmMs ? 0 : known
      return read * cached + fresh * (tokens - cached)
    }
    const costs = { plain: costOf(priceLists.plain), paid: costOf(priceLists.paid) }
    this.#costs.plain += costs.plain
    this.#costs.paid += costs.paid
    this.sentTokens += tokens
    this.mostTokens = Math.max(this.mostTokens, tokens)
    this.#before = request
    return {
      costs,
      isBreak: before !== null && common < before.pieces.length,
      isCold: pauseMs > priceLists.paid.warmMs,
    }
  }
}

function commonPieces(before: readonly Piece[], now: readonly Piece[]): number {
  const differs = before.findIndex((piece, at) => piece !== now[at])
  return differs === -1 ? before.length : differs
}

/**
 * Requests in the pieces by which a provider's cache knows them: tools, system prompt,
 * messages. Equal text is one and the same piece, so that requests are compared at a glance.
 */
export interface Piece {
  readonly tokens: number
}

interface Pieces {
  /** What stands before the messages, in the order in which providers read it. */
  head(system: readonly TextPart[], tools: readonly ToolSchema[]): readonly Piece[]
  message(message: Pick<ContextMessage, 'role' | 'author' | 'parts' | 'meta'>): Piece
}

/** For one conversation. */
export function createPieces(meter: Meter): Pieces {
  const known = new Map<string, Piece>()
  const pieceOf = (value: unknown, count: () => number): Piece => {
    const text = JSON.stringify(value)
    const piece = known.get(text) ?? { tokens: count() }
    known.set(text, piece)
    return piece
  }
  return {
    head: (system, tools) => [
      pieceOf(['tools', tools], () => meter.tools(tools)),
      ...system.map((part) => pieceOf(['system', part], () => meter.systemSize(part.text).tokens)),
    ],
    message: ({ role, author, parts, meta }) =>
      pieceOf([role, author, parts, meta], () => meter.message({ role, author, parts, meta })),
  }
}

export function piecesOf(
  { system, tools, messages }: Pick<Context, 'system' | 'tools' | 'messages'>,
  pieces: Pieces,
): readonly Piece[] {
  return [...pieces.head(system, tools), ...messages.map(pieces.message)]
}

export function tokensOf(pieces: Iterable<Piece>): number {
  let sum = 0
  for (const { tokens } of pieces) sum += tokens
  return sum
}
