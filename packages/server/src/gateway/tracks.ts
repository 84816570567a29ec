/** What each conversation's client is expected to send: the entries of its history, and their places in the log. */
import type { Conversation, Seq, TenantHandle } from 'throughline'
import type { GatewayIndex, TrackSpan } from './gateway-index.ts'
import { type Entry, entriesOf } from './model-request.ts'

export interface Track {
  readonly conversation: Conversation
  readonly entries: readonly Entry[]
  /** Whether the client's history has all messages of the log, in their order. */
  readonly isWhole: boolean
  /** Cut answers that the log keeps, and the client does not have. */
  readonly dropped: readonly Seq[]
}

/** The conversations of a tenant, and its name. */
export interface TenantLog {
  readonly tenant: TenantHandle
  readonly tenantName: string
}

export interface Tracks {
  /** Null if there is no such conversation. */
  load(log: TenantLog, id: string): Promise<Track | null>
  /** Adds entries that were appended, so that they need not be read back. */
  extend(log: TenantLog, id: string, entries: readonly Entry[]): Promise<void>
  drop(log: TenantLog, id: string): void
}

const cachedAtMost = 256

export function createTracks(index: GatewayIndex): Tracks {
  const cache = new Map<string, Track>()
  const remember = (place: string, track: Track) => {
    cache.delete(place)
    cache.set(place, track)
    const [oldest] = cache.keys()
    if (cache.size > cachedAtMost && oldest !== undefined) cache.delete(oldest)
    return track
  }
  const placeOf = ({ tenantName }: TenantLog, id: string) => JSON.stringify([tenantName, id])
  return {
    load: async (log, id) => {
      const { tenant, tenantName } = log
      const place = placeOf(log, id)
      const conversation = await tenant.conversation(id).info()
      if (conversation === null) {
        cache.delete(place)
        return null
      }
      const known = cache.get(place)
      if (known !== undefined && isSameLog(known.conversation, conversation))
        return remember(place, { ...known, conversation })
      const spans = await index.track(tenantName, id)
      const messages = []
      for await (const message of tenant.conversation(id).messages())
        if (!message.marks.some(({ kind }) => kind === 'removed'))
          messages.push({ message, at: message.seq })
      const shown = spans === null ? messages : inSpans(messages, spans)
      const isWhole = spans === null
      const has = new Set(shown.map(({ at }) => at))
      const dropped = messages
        .filter(({ message, at }) => message.status === 'incomplete' && !has.has(at))
        .map(({ at }) => at)
      return remember(place, { conversation, entries: entriesOf(shown), isWhole, dropped })
    },
    extend: async (log, id, entries) => {
      const { tenant } = log
      const place = placeOf(log, id)
      const known = cache.get(place)
      const conversation = await tenant.conversation(id).info()
      const [first] = entries
      const joins = first?.role === 'assistant' && known?.entries.at(-1)?.role === 'assistant'
      // Others may have appended, too; the next request then reads the log again.
      const added = entries.reduce((sum, { at }) => sum + at.length, 0)
      const isNext = conversation?.head === (known?.conversation.head ?? 0) + added
      if (known === undefined || conversation === null || joins || !isNext) cache.delete(place)
      else remember(place, { ...known, conversation, entries: [...known.entries, ...entries] })
    },
    drop: (log, id) => void cache.delete(placeOf(log, id)),
  }
}

function isSameLog(left: Conversation, right: Conversation): boolean {
  return (
    left.head === right.head &&
    left.chain === right.chain &&
    left.rewrites === right.rewrites &&
    left.createdAt === right.createdAt
  )
}

function inSpans<Placed extends { readonly at: number }>(
  messages: readonly Placed[],
  spans: readonly TrackSpan[],
): readonly Placed[] {
  return spans.flatMap(([from, to]) =>
    messages.filter(({ at }) => at >= from && at < (to ?? Number.POSITIVE_INFINITY)),
  )
}

/** Places in the order of a history as spans, the last without an end. */
export function spansOf(places: readonly number[], head: number): readonly TrackSpan[] {
  const spans: [number, number | null][] = []
  for (const place of places) {
    const last = spans.at(-1)
    if (last?.[1] === place) last[1] = place + 1
    else spans.push([place, place + 1])
  }
  const last = spans.at(-1)
  if (last?.[1] === head) last[1] = null
  else spans.push([head, null])
  return spans
}
