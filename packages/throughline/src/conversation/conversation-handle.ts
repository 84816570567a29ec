/** The methods of a conversation handle: each checks its input and calls the flow. */
import { defaults } from '../defaults-data.ts'
import { loadConversation } from '../derived/state.ts'
import { type ConversationId, conversationId, type Seq } from '../domain/ids.ts'
import type { Message } from '../domain/message.ts'
import { chainHash } from '../domain/placement.ts'
import { fail, ok, type Result } from '../domain/result.ts'
import { type Anchor, type Span, span, spanOf, wholeNumber } from '../domain/span.ts'
import { deriveTurns } from '../domain/turn.ts'
import { ThroughlineError } from '../errors.ts'
import { checkOptions, invalidOption } from '../flow/check/check-options.ts'
import type { TenantStore } from '../ports/store.ts'
import { sha256 } from '../system.ts'
import { appendTo } from './append-to.ts'
import { changeControl, changePins, messageAt, updateConversation } from './change-conversation.ts'
import { contextOf } from './context.ts'
import { currentLedger } from './current-ledger.ts'
import { expand } from './expand.ts'
import type { ConversationHandle, ForkFailure } from './handle.ts'
import { previewOf } from './preview.ts'
import { recallIn } from './recall.ts'
import { receiptsOf } from './receipts.ts'
import { compactNow, handleOverflow, parseCompactOptions } from './requested-compaction.ts'
import { restore, undo, versionsOf } from './restore-view.ts'
import { editMessage, purgeMessage, removeMessages } from './rewrite-messages.ts'
import { type Internals, type Runtime, withInternals } from './runtime.ts'
import { statusOf } from './status.ts'
import { editSummaryOf, summariesOf, summaryFor } from './summary.ts'

export function conversationHandle(
  store: TenantStore,
  id: ConversationId,
  runtime: Runtime,
): ConversationHandle {
  const { now } = runtime
  const chat = { store, id, runtime }
  const messages = (within: Partial<Span> = {}) => readPages(chat, within)
  const handle: ConversationHandle = {
    id,
    messages,
    append: async (batch, options = {}) => appendTo(chat, batch, options),
    context: (input) => contextOf(chat, input),
    preview: async (input) => previewOf(chat, input),
    compact: async (input) => compactNow(chat, input),
    compactNextRequest: async (options = {}) => {
      const asked = parseCompactOptions(options, 'compactNextRequest')
      return changeControl(chat, { asked, suspended: [] }, now())
    },
    overflowed: async (fingerprint, error) => handleOverflow(chat, { fingerprint, error }),
    status: () => statusOf(store, id),
    receipts: async (query = {}) => receiptsOf(chat, query),
    pin: async (anchor) =>
      changePins(chat, placeOf(anchor, id, 'a pin'), { pinned: true, at: now() }),
    unpin: async (anchor) =>
      changePins(chat, placeOf(anchor, id, 'a pin'), { pinned: false, at: now() }),
    recall: async (query, options = {}) => recallIn(chat, query, options),
    expand: async (anchor, options = {}) => expand(chat, anchor, options),
    summary: (input) => summaryFor(chat, input),
    summaries: async (query = {}) => summariesOf(chat, query),
    ledger: () => currentLedger(chat),
    turns: async (within) => deriveTurns(await Array.fromAsync(messages(within))),
    info: () => loadConversation(store, id),
    update: async (changes) => updateConversation(chat, changes, now()),
    events: async (query = {}) => {
      const asked = checkOptions(query, ['after', 'limit'], 'events')
      const after = wholeNumber(asked.after ?? 0)
      const limit = wholeNumber(asked.limit ?? defaults.pageEvents)
      return (await store.events({ id, after, limit })) ?? []
    },
    original: async (seq) => store.bytes({ id, seq: wholeNumber(seq) }),
    file: async (hash) => (isHash(hash) ? store.bytes({ id, sha256: hash }) : null),
    history: {
      versions: async (query = {}) => versionsOf(chat, query),
      undo: async (options = {}) => undo(chat, options),
      restore: async (version) => restore(chat, version),
      editSummary: async (edit) => editSummaryOf(chat, edit),
      fork: async (at, forkId) => fork(chat, at, forkId),
      edit: async (anchor, message) =>
        editMessage(chat, { seq: placeOf(anchor, id, 'an edit'), message }),
      remove: async (anchor) => removeMessages(chat, spanOf(anchor, id)),
      purgeMessage: async (anchor, options = {}) => {
        const forks = forksIn(options, 'purgeMessage')
        return purgeMessage(chat, { seq: placeOf(anchor, id, 'a purge'), forks })
      },
      purge: async (options = {}) => {
        const outcome = await store.purge({ id, forks: forksIn(options, 'purge'), at: now() })
        if (outcome.kind === 'purged') runtime.purges.changed(runtime.tenant, outcome.conversations)
        return outcome
      },
    },
  }
  return withInternals(handle, async () => chat)
}

function placeOf(anchor: Anchor, id: ConversationId, what: string): Seq {
  const { from, to } = spanOf(anchor, id)
  if (to !== from + 1)
    throw new ThroughlineError('SPAN_INVALID', `${what} needs one message, such as "#12"`)
  return from
}

function forksIn(options: { readonly forks?: 'refuse' | 'purge' }, where: string) {
  const { forks = 'refuse' } = checkOptions(options, ['forks'], where)
  if (forks !== 'refuse' && forks !== 'purge')
    throw invalidOption(`${where}: forks must be "refuse" or "purge"`)
  return forks
}

function isHash(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
}

async function fork(
  { store, id: source, runtime }: Internals,
  at: Seq,
  forkId: string,
): Promise<Result<ConversationHandle, ForkFailure>> {
  const id = conversationId(forkId)
  const forkedFrom = { conversationId: source, at: wholeNumber(at) }
  const created = { id, title: null, meta: null, parent: null, at: runtime.now() }
  const outcome = await store.create({ ...created, forkedFrom })
  return outcome.kind === 'created' ? ok(conversationHandle(store, id, runtime)) : fail(outcome)
}

/** Reads a page at a time. Throws if the conversation is replaced between two pages. */
async function* readPages(chat: Internals, within: Partial<Span>): AsyncGenerator<Message> {
  const { store, id } = chat
  const { pageMessages } = chat.runtime.settings
  const asked = checkOptions(within, ['from', 'to'], 'messages')
  const { from, to } = span(asked.from ?? 0, asked.to ?? Number.MAX_SAFE_INTEGER)
  let last: Message | null = null
  for (let next = from; next < to; next = last.seq + 1) {
    const pageSpan = { from: next, to: Math.min(to, next + pageMessages) }
    const page = await store.read({ id, span: pageSpan })
    const [first] = page ?? []
    if (last !== null && !(await isSameConversation(chat, last, first)))
      throw new ThroughlineError('CONVERSATION_REPLACED', `conversation "${id}" was replaced`)
    if (page === null || first === undefined) return
    yield* page
    last = page.at(-1) ?? first
    // A short page is the end of the log; messages appended since are not read.
    if (page.length < pageMessages) return
  }
}

/**
 * Between two pages a conversation may be purged and created again under the same id. If only
 * earlier messages were edited, the last one is unchanged.
 */
async function isSameConversation(chat: Internals, last: Message, next: Message | undefined) {
  if (next === undefined)
    return ((await loadConversation(chat.store, chat.id))?.head ?? 0) > last.seq
  const follows = chainHash(last.hashes.chain, next.hashes.canonical, next.seq, sha256)
  if (next.hashes.chain === follows) return true
  const there = await messageAt(chat, last.seq)
  return there?.hashes.content === last.hashes.content && there.createdAt === last.createdAt
}
