/** Which messages a chunk of their entries is of: chunks cover all messages, in their order. */
import { type Span, span } from '../../domain/span.ts'
import type { ToldMessage } from '../../ports/summary-style.ts'
import type { Entry } from './entry.ts'

/** What is noise belongs to the chunk before which it stands, and at the end to the last. */
export function coversOf(
  messages: readonly ToldMessage[],
  chunks: readonly (readonly Entry[])[],
  index: number,
): Span {
  const first = messages[0]?.seq ?? 0
  const end = (messages.at(-1)?.seq ?? -1) + 1
  const before = chunks[index - 1]?.at(-1)?.seq
  const [own, last] = [chunks[index]?.[0]?.seq, chunks[index]?.at(-1)?.seq]
  const from = before === undefined || own === undefined ? first : Math.min(before + 1, own)
  return span(from, last === undefined || index === chunks.length - 1 ? end : last + 1)
}
