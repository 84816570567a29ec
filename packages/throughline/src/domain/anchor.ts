/** An anchor: where something stands in the log, as it is written in a context: `#412`, `#3-#17`. */
import { ThroughlineError } from '../errors.ts'
import { describe } from './describe.ts'
import type { ConversationId, Seq } from './ids.ts'
import { type Span, span } from './span.ts'

/** `#412`, `#3-#17` (both are meant), the id of a message of the conversation, a place, or a span. */
export type Anchor = string | Seq | Span

export function spanOf(anchor: Anchor, conversation: ConversationId): Span {
  if (typeof anchor === 'number') return span(anchor, anchor + 1)
  if (typeof anchor === 'object' && anchor !== null) return span(anchor.from, anchor.to)
  const words = typeof anchor === 'string' ? anchor.replace(`${conversation}#`, '#') : ''
  const found = anchorPattern.exec(words)
  if (found === null)
    throw new ThroughlineError(
      'SPAN_INVALID',
      `an anchor is such as "#412" or "#3-#17", a place or a span, got ${describe(anchor)}`,
    )
  const from = Number(found[1])
  return span(from, Number(found[2] ?? from) + 1)
}

const anchorPattern = /^#(\d{1,15})(?:\s?(?:-|–|to)\s?#?(\d{1,15}))?$/

export function anchorOf({ from, to }: Span): string {
  return to === from + 1 ? `#${from}` : `#${from}-#${to - 1}`
}
