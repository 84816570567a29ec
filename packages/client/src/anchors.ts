/** Ids and anchors as segments of a URL; what cannot be one is refused with the engine's codes. */
import {
  type Anchor,
  type ConversationHandle,
  type ConversationId,
  ThroughlineError,
} from 'throughline'

/** The same rules as in the engine, and no names that a URL resolves. */
export function checkedId(id: string): ConversationId {
  const isText = typeof id === 'string' && id.length > 0 && id.length <= 512
  if (!isText || /\p{Cc}/u.test(id) || !id.isWellFormed())
    throw new ThroughlineError(
      'ID_INVALID',
      'conversation id must be 1 to 512 characters of well-formed text without control characters',
    )
  if (id === '.' || id === '..')
    throw new ThroughlineError('ID_INVALID', `conversation id "${id}" has no address on a server`)
  return id as ConversationId
}

/** An anchor as text: `12` and `3-17` need no escape. */
export function anchorText(anchor: Anchor): string {
  if (typeof anchor === 'number') return String(wholePlace(anchor))
  if (typeof anchor === 'string') return anchor
  const { from, to } = anchor ?? {}
  if (!(wholePlace(to) > wholePlace(from)))
    throw invalidSpan(`a span is two places with from < to, got ${from} and ${to}`)
  return to === from + 1 ? String(from) : `${from}-${to - 1}`
}

/** One place, for an edit. */
export function placeOf(anchor: Anchor, id: string): number {
  const text = anchorText(anchor)
  const own = text.startsWith(`${id}#`) ? text.slice(id.length) : text
  const place = /^#?(\d{1,15})$/.exec(own)?.[1]
  if (place === undefined || (typeof anchor === 'string' && !own.startsWith('#')))
    throw invalidSpan(`an edit needs one message, such as "#12"; got "${text}"`)
  return Number(place)
}

type Expandable = Parameters<ConversationHandle['expand']>[0]

/** A summary is expanded by its id, and an entry of the ledger by its sources. */
export function expandableText(given: Expandable): string {
  if (typeof given !== 'object' || given === null) return anchorText(given)
  if ('sources' in given) return given.sources.map((place) => `#${place}`).join(', ')
  return 'added' in given ? given.id : anchorText(given)
}

export function wholePlace(value: number): number {
  if (!Number.isSafeInteger(value) || value < 0)
    throw invalidSpan(`must be a whole number from 0, got ${value}`)
  return value
}

function invalidSpan(message: string): ThroughlineError {
  return new ThroughlineError('SPAN_INVALID', message)
}
