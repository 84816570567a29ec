/**
 * A page of stretches of the log, and the stretches that are left. Messages are read a few at a
 * time: one may have 64 MB, and a page ends where it is full.
 */
import type { ConversationId, Seq } from '../domain/ids.ts'
import type { Message } from '../domain/message.ts'
import type { Stretch } from '../domain/stretch.ts'
import {
  type FilledPage,
  fillPage,
  type PageCandidate,
  type PageLimit,
} from '../flow/recall/fill-page.ts'
import { messageText } from '../flow/text/message-text.ts'
import type { TenantStore } from '../ports/store.ts'
import { CallsBefore } from './calls-before.ts'

export interface Page {
  readonly messages: readonly Message[]
  readonly filled: FilledPage
  readonly rest: readonly Stretch[]
}

export interface PageSize {
  readonly messages: number
  readonly limit: PageLimit | null
}

/** Null where nothing stands there. */
export async function readPage(
  store: TenantStore,
  id: ConversationId,
  stretches: readonly Stretch[],
  { messages: mostMessages, limit }: PageSize,
): Promise<Page | null> {
  const calls = new CallsBefore(store, id)
  const read: PageCandidate[] = []
  let rest = stretches
  let filled = fillPage(read, limit)
  let atOnce = limit === null ? mostMessages : firstMessages
  while (rest.length > 0 && read.length < mostMessages && filled.rest === null) {
    const more = await readFirst(store, id, rest, Math.min(atOnce, mostMessages - read.length))
    for (const { message, character } of more.found)
      read.push({ message, character, answers: await calls.answeredBy(message) })
    rest = more.rest
    filled = fillPage(read, limit)
    atOnce *= 2
  }
  if (read.length === 0) return null
  const shown = read.slice(0, filled.pieces.length)
  const next = filled.rest === null ? null : read[filled.rest.index]
  return {
    messages: withCalls(shown, calls.found),
    filled,
    rest: next ? fromPlace(stretches, next.message.seq, filled.rest?.character ?? 0) : rest,
  }
}

const firstMessages = 4

function withCalls(
  shown: readonly PageCandidate[],
  found: ReadonlyMap<Seq, Message>,
): readonly Message[] {
  const places = shown.flatMap(({ message, answers }) => [
    ...answers.map(({ seq }) => found.get(seq) ?? message),
    message,
  ])
  return [...new Map(places.map((message) => [message.seq, message])).values()].sort(
    (left, right) => left.seq - right.seq,
  )
}

/** The first messages of stretches, and what is left of these. */
async function readFirst(
  store: TenantStore,
  id: ConversationId,
  stretches: readonly Stretch[],
  most: number,
): Promise<{ readonly found: readonly Placed[]; readonly rest: readonly Stretch[] }> {
  const [first] = stretches
  if (first === undefined) return { found: [], rest: [] }
  const { from, character } = first
  const to = Math.min(first.to, from + most)
  const messages = (await store.read({ id, span: { from, to } })) ?? []
  return {
    found: messages
      .map((message) => ({ message, character: message.seq === from ? character : 0 }))
      .filter(isLeft),
    rest: fromPlace(stretches, to, 0),
  }
}

type Placed = Pick<PageCandidate, 'message' | 'character'>

/** Behind the last character of a message there is nothing more of it. */
function isLeft({ message, character }: Placed): boolean {
  return character === 0 || character < messageText(message).length
}

/** What of them lies behind a place. */
function fromPlace(stretches: readonly Stretch[], seq: Seq, character: number): readonly Stretch[] {
  return stretches
    .filter(({ to }) => to > seq)
    .map((stretch) => {
      const begins = stretch.from > seq || (stretch.from === seq && character === 0)
      return begins ? stretch : { from: seq, to: stretch.to, character }
    })
}
