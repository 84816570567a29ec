/** The schemas of tools that the last call of a conversation held, for the next to count with. */
import type { ToolSchema } from '../domain/tool-schema.ts'

export interface SeenTools {
  of(conversation: string): readonly ToolSchema[]
  see(conversation: string, tools: readonly ToolSchema[]): void
}

const conversationsMax = 1_000

export function createSeenTools(): SeenTools {
  const seen = new Map<string, readonly ToolSchema[]>()
  return {
    of: (conversation) => seen.get(conversation) ?? [],
    see: (conversation, tools) => {
      seen.delete(conversation)
      seen.set(conversation, tools)
      if (seen.size > conversationsMax) seen.delete(seen.keys().next().value ?? conversation)
    },
  }
}
