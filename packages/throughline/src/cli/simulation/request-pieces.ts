/**
 * Requests in the pieces by which a provider's cache knows them: tools, system prompt,
 * messages. Equal text is one and the same piece, so that requests are compared at a glance.
 */
import type { Context, ContextMessage, Meter, TextPart, ToolSchema } from '../../index.ts'

export interface Piece {
  readonly tokens: number
}

export interface Pieces {
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
