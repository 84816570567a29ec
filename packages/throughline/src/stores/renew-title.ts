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
  const sameMessage = messageAt(titleFrom, bodyAt)
  const sameTitle = sameMessage && titleOf(sameMessage)
  if (sameTitle !== null) return { title: sameTitle, titleFrom }
  const source = titleSource(firstMessages(bodyAt))
  const newTitle = source && titleOf(source)
  return { title: newTitle, titleFrom: newTitle === null ? null : (source?.seq ?? null) }
}

/** Titles come from early messages. */
const maxTitlePlace = 200

function* firstMessages(bodyAt: (seq: Seq) => MessageBody | null) {
  for (let seq = 0; seq < maxTitlePlace; seq += 1) {
    const message = messageAt(seq, bodyAt)
    if (message === null) return
    yield message
  }
}

function messageAt(seq: Seq, bodyAt: (seq: Seq) => MessageBody | null) {
  const body = bodyAt(seq)
  return body && { seq, role: body.role, meta: body.meta, content: body.parts }
}
