/** The hashes of the files whose bytes parts stand for. */
import type { Part } from './message.ts'

/**
 * The hashes of the files whose bytes parts stand for: with the last message that has one, its bytes go.
 *
 * @example
 * const used = new Set(messages.flatMap(({ parts }) => storedIn(parts)))
 */
export function storedIn(parts: readonly Part[]): readonly string[] {
  return parts.some(mayHold) ? parts.flatMap(storedBy) : none
}

const none: readonly string[] = []

function mayHold(part: Part): boolean {
  return part.type === 'file' || (part.type === 'tool-result' && part.output.kind === 'parts')
}

function storedBy(part: Part): readonly string[] {
  if (part.type === 'file') return part.source.kind === 'stored' ? [part.source.sha256] : none
  const inside = part.type === 'tool-result' && part.output.kind === 'parts'
  return inside ? part.output.parts.flatMap(storedBy) : none
}
