/**
 * Whose words a message contains, from what the caller states, from its role, and from markers that
 * clients insert into text. Linear in the text.
 */
import {
  type Message,
  type Origin,
  type Part,
  statedOrigin,
  type TextPart,
  textsOfOutput,
} from './message.ts'
import {
  expandedCommandTag,
  launchedSkill,
  openingMarkers,
  summaryTags,
  tagMarkers,
} from './origin-markers-data.ts'

/** A text of one origin. See `originPieces`. */
export interface OriginPiece {
  readonly origin: Origin
  readonly text: string
}

/** The fields of a message that decide its origin. */
export type Spoken = Pick<Message, 'role' | 'parts'> & {
  /** Stated by the caller; null if the text decides. */
  readonly origin?: Origin | null | undefined
}

/**
 * The strongest origin in a message: a person's, if the person typed anything in it.
 *
 * @example
 * for await (const message of chat.messages()) console.log(message.seq, originOf(message))
 */
export function originOf(message: Spoken): Origin {
  const { role, parts, origin } = message
  const stated = parts.map(statedOrigin).filter((each) => each !== null)
  if (stated.length === 0) {
    if (origin) return origin
    if (role === 'system') return 'developer'
    if (role === 'assistant') return 'model'
    if (role === 'tool' || parts.some(({ type }) => type === 'tool-result')) return 'tool'
  }
  const found = new Set([...stated, ...originPieces(message).map((piece) => piece.origin)])
  return strongestFirst.find((each) => found.has(each)) ?? 'person'
}

const strongestFirst: readonly Origin[] = [
  ...(['person', 'summary', 'agent', 'developer', 'model', 'tool', 'application'] as const),
]

/**
 * The text parts of a message, split at the markers of clients.
 *
 * @example
 * for await (const message of chat.messages())
 *   for (const { origin, text } of originPieces(message)) console.log(origin, text)
 */
export function originPieces({ role, parts, origin }: Spoken): readonly OriginPiece[] {
  if (origin || role !== 'user') {
    const whole = origin || (role === 'assistant' ? 'model' : 'developer')
    return parts.flatMap((part) =>
      part.type === 'text' ? [{ origin: part.origin ?? whole, text: part.text }] : [],
    )
  }
  const known = knownPieces.get(parts)
  if (known !== undefined) return known
  const pieces = parts.flatMap((part, index) =>
    part.type === 'text' ? piecesOfPart(part, parts[index - 1]) : [],
  )
  const isMarkup = pieces.every((piece) => piece.origin !== 'person' || isOnlyTags(piece.text))
  const isStated = parts.some((part) => statedOrigin(part) !== null)
  const found = isMarkup && !isStated ? pieces.map(typedOnlyInMarkers) : pieces
  knownPieces.set(parts, found)
  return found
}

function piecesOfPart(
  { text, origin }: TextPart,
  before: Part | undefined,
): readonly OriginPiece[] {
  if (origin) return [{ origin, text }]
  const split = splitAtMarkers(text)
  const isTyped = split.every((piece) => piece.origin === 'person' && piece.text === text)
  return isTyped && isExpanded(before) ? [{ origin: 'application', text }] : split
}

/**
 * Whether the client adds the text of a command or a skill after this part, as the next part or as
 * the next message.
 */
export function isExpanded(part: Part | undefined): boolean {
  if (part?.type === 'text') return part.text.trimStart().startsWith(expandedCommandTag)
  if (part?.type !== 'tool-result') return false
  return textsOfOutput(part.output).some((text) => text.startsWith(launchedSkill))
}

/** A message is asked for its origin by several stages of each request. */
const knownPieces = new WeakMap<readonly Part[], readonly OriginPiece[]>()

/** Unknown tags and nothing else: no person types that. */
function typedOnlyInMarkers(piece: OriginPiece): OriginPiece {
  const start = piece.text.trimStart()
  if (piece.origin !== 'person' || !start.startsWith('<')) return piece
  const isSummary = summaryTags.some((tag) => start.startsWith(tag))
  return { ...piece, origin: isSummary ? 'summary' : 'application' }
}

const tagNames = tagMarkers.map(({ tag }) => tag).join('|')
/** At the start of a line, or directly after another one. */
const tagPattern = new RegExp(
  `(?:^[ \\t]*|(?<=</(?:${tagNames})>))<(${tagNames})(?: [^<>\\n]{0,200})?>`,
  'gm',
)
/** The line ends, or another marker follows on it. */
const afterTag = new RegExp(`^(?:[ \\t]*(?:\\r?\\n|$)|<(?:${tagNames})(?: [^<>\\n]{0,200})?>)`)
// More than the longest tag with its attributes.
const lookAhead = 300
const originOfTag = new Map(tagMarkers.map(({ tag, origin }) => [tag, origin]))

function splitAtMarkers(text: string): readonly OriginPiece[] {
  const start = text.trimStart()
  const opening = openingMarkers.find((marker) => start.startsWith(marker.opening))
  const typedFrom = opening?.until === undefined ? -1 : text.indexOf(opening.until)
  if (opening?.until !== undefined && typedFrom >= 0) {
    const end = typedFrom + opening.until.length
    return [{ origin: opening.origin, text: text.slice(0, end) }, ...typed(text.slice(end))]
  }
  if (opening?.extent === 'part') return [{ origin: opening.origin, text }]
  if (opening !== undefined) {
    const end = text.length - start.length + opening.opening.length
    const isLine = /^[ \t]*(?:\n|$)/.test(text.slice(end))
    if (isLine)
      return [{ origin: opening.origin, text: text.slice(0, end) }, ...typed(text.slice(end))]
  }
  const pieces: OriginPiece[] = []
  const unclosed = new Set<string>()
  let at = 0
  for (const found of text.matchAll(tagPattern)) {
    const [opened, tag = ''] = found
    if (found.index < at || unclosed.has(tag)) continue
    const from = found.index + opened.length
    const to = text.indexOf(`</${tag}>`, from)
    if (to < 0) {
      unclosed.add(tag)
      continue
    }
    const end = to + tag.length + 3
    // More words on the line: a person writes about the tag.
    if (!afterTag.test(text.slice(end, end + lookAhead))) continue
    pieces.push(...typed(text.slice(at, found.index)))
    const origin = originOfTag.get(tag) ?? 'application'
    const inner = text.slice(from, to)
    if (origin !== 'person') pieces.push({ origin, text: text.slice(found.index, end) })
    else pieces.push(...typed(inner))
    at = end
  }
  return [...pieces, ...typed(text.slice(at))]
}

function typed(text: string): readonly OriginPiece[] {
  return text.trim() === '' ? [] : [{ origin: 'person', text }]
}

function isOnlyTags(text: string): boolean {
  let at = 0
  const open = /\s*<([A-Za-z][\w.:-]*)(?:\s[^<>]*)?>/y
  while (at < text.length) {
    open.lastIndex = at
    const [opened, tag] = open.exec(text) ?? []
    if (opened === undefined) return text.slice(at).trim() === '' && at > 0
    const close = text.indexOf(`</${tag}>`, at + opened.length)
    if (close < 0) return false
    at = close + (tag?.length ?? 0) + 3
  }
  return true
}
