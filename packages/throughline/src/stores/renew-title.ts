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
  const own = bodyAt(titleFrom)
  const source = (own && titled(titleFrom, own)) ?? titleSource(earlyMessages(bodyAt))
  const made = source && titleOf(source)
  return made === null || source === null
    ? { title: null, titleFrom: null }
    : { title: made, titleFrom: source.seq }
}

function titled(seq: Seq, { role, meta, parts }: MessageBody) {
  const message = { seq, role, meta, content: parts }
  return titleOf(message) === null ? null : message
}

/** Titles come from early messages. */
const messagesRead = 200

function* earlyMessages(bodyAt: (seq: Seq) => MessageBody | null) {
  for (let seq = 0; seq < messagesRead; seq += 1) {
    const body = bodyAt(seq)
    if (body === null) return
    yield { seq, role: body.role, meta: body.meta, content: body.parts }
  }
}
