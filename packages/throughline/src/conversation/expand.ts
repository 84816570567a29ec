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

/** Null where nothing stands there. */
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
  return { messages, next: behind < end ? anchorOf({ from: behind, to: end }) : null }
}

/** For the hindsight of receipts. Whoever reads waits for no writing. */
export function noteExpansion(
  store: TenantStore,
  id: ConversationId,
  { messages }: Expanded,
  { background }: Front,
): void {
  const [first] = messages
  if (first === undefined) return
  const expanded = { from: first.seq, to: first.seq + messages.length }
  background.run(async () => {
    await store.record({ id, expanded })
  })
}
