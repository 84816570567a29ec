/** The messages of a span, read a page at a time; every page is of the same history. */
import type { ConversationId } from '../domain/ids.ts'
import type { Message } from '../domain/message.ts'
import { chainHash } from '../domain/placement.ts'
import { type Span, span } from '../domain/span.ts'
import { ThroughlineError } from '../errors.ts'
import { checkOptions } from '../flow/check/check-options.ts'
import type { TenantStore } from '../ports/store.ts'
import { sha256 } from '../system.ts'

export async function* readPages(
  store: TenantStore,
  id: ConversationId,
  within: Partial<Span>,
  pageMessages: number,
): AsyncGenerator<Message> {
  const asked = checkOptions(within, ['from', 'to'], 'messages')
  const { from, to } = span(asked.from ?? 0, asked.to ?? Number.MAX_SAFE_INTEGER)
  let last: Message | null = null
  for (let next = from; next < to; next = last.seq + 1) {
    const page = await store.read({
      id,
      span: { from: next, to: Math.min(to, next + pageMessages) },
    })
    const [first] = page ?? []
    if (last !== null && !(await goesOn(store, id, last, first)))
      throw new ThroughlineError('CONVERSATION_REPLACED', `conversation "${id}" is another one now`)
    if (page === null || first === undefined) return
    yield* page
    last = page.at(-1) ?? first
    // A short page is the end as it was then. What came since is the next reader's.
    if (page.length < pageMessages) return
  }
}

/**
 * Between two pages a conversation may be purged, and begun anew under the same id. Where only
 * messages before it were edited, the last one still stands there.
 */
async function goesOn(
  store: TenantStore,
  id: ConversationId,
  last: Message,
  next: Message | undefined,
): Promise<boolean> {
  if (next === undefined) return ((await store.conversation(id))?.head ?? 0) > last.seq
  const follows = chainHash(last.hashes.chain, next.hashes.canonical, sha256)
  if (next.hashes.chain === follows) return true
  const [there] = (await store.read({ id, span: { from: last.seq, to: last.seq + 1 } })) ?? []
  return there?.hashes.content === last.hashes.content && there.createdAt === last.createdAt
}
