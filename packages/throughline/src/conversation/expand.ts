/** What stands behind an anchor, whole, a page at a time. */
import { anchorOf } from '../domain/anchor.ts'
import type { ConversationId } from '../domain/ids.ts'
import type { Message } from '../domain/message.ts'
import type { Span } from '../domain/span.ts'
import type { TenantStore } from '../ports/store.ts'
import type { Front } from './front.ts'

export interface Expanded {
  readonly messages: readonly Message[]
  /** The anchor of what is left; null where that was all. */
  readonly next: string | null
}

/** Null where nothing stands there. A result comes with its call, which says what it is of. */
export async function expand(
  store: TenantStore,
  id: ConversationId,
  { from, to }: Span,
  limit: number,
): Promise<Expanded | null> {
  const messages = await store.read({ id, span: { from, to: Math.min(to, from + limit) } })
  if (messages === null || messages.length === 0) return null
  const { head } = (await store.conversation(id)) ?? { head: 0 }
  const behind = from + messages.length
  const end = Math.min(to, head)
  return {
    messages: [...(await callsBefore(store, id, messages)), ...messages],
    next: behind < end ? anchorOf({ from: behind, to: end }) : null,
  }
}

/** The messages that called what the first of these answers. */
async function callsBefore(
  store: TenantStore,
  id: ConversationId,
  [first]: readonly Message[],
): Promise<readonly Message[]> {
  const answered = new Set(
    first?.parts.flatMap((part) => (part.type === 'tool-result' ? [part.callId] : [])),
  )
  if (first === undefined || answered.size === 0) return []
  const before = await store.readBack({ id, before: first.seq, limit: callDistance })
  return (before ?? []).filter(({ parts }) =>
    parts.some((part) => part.type === 'tool-call' && answered.has(part.callId)),
  )
}

// Results of calls that were made at once stand behind one another.
const callDistance = 32

/** For the hindsight of receipts. Whoever reads waits for no writing. */
export function noteExpansion(
  store: TenantStore,
  id: ConversationId,
  expanded: Span,
  { background }: Front,
): void {
  background.run(async () => {
    await store.record({ id, expanded })
  })
}
