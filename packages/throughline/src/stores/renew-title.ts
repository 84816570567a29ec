import type { Seq } from '../domain/ids.ts'
import type { MessageBody } from '../domain/sealed-message.ts'
import { titleOf, titleSource } from '../extract/title.ts'

/** A title and the message that it was made from; `titleFrom` is null where a caller set it. */
export interface PlacedTitle {
  readonly title: string | null
  readonly titleFrom: Seq | null
}

/**
 * The title after messages have changed: made again from the same message, or from another one
 * where that is empty. A title that a caller set stays. See `rewriteLog`.
 */
export function renewTitle(
  { title, titleFrom }: PlacedTitle,
  places: readonly Seq[],
  bodyAt: (seq: Seq) => MessageBody | null,
): PlacedTitle {
  if (titleFrom === null || !places.includes(titleFrom)) return { title, titleFrom }
  const [sameMessage] = messagesFrom(titleFrom, titleFrom + 1, bodyAt)
  const sameTitle = sameMessage === undefined ? null : titleOf(sameMessage)
  if (sameTitle !== null) return { title: sameTitle, titleFrom }
  const source = titleSource(messagesFrom(0, maxTitlePlace, bodyAt))
  const newTitle = source && titleOf(source)
  return { title: newTitle, titleFrom: newTitle === null || source === null ? null : source.seq }
}

/** Titles come from early messages. */
const maxTitlePlace = 200

function* messagesFrom(from: Seq, to: Seq, bodyAt: (seq: Seq) => MessageBody | null) {
  for (let seq = from; seq < to; seq += 1) {
    const body = bodyAt(seq)
    if (body === null) return
    yield { seq, role: body.role, meta: body.meta, content: body.parts }
  }
}
