/**
 * What a program holds of one conversation. A handle costs nothing and keeps no
 * state: everything is in the store, so any number of processes may hold one.
 */
import type { Settings } from './config.ts'
import type { Conversation } from './domain/conversation.ts'
import type { EngineEvent } from './domain/event.ts'
import { type ConversationId, conversationId, type Seq } from './domain/ids.ts'
import type { JsonObject } from './domain/json.ts'
import type { Message } from './domain/message.ts'
import type { MessageInput } from './domain/message-input.ts'
import { fail, ok, type Result } from './domain/result.ts'
import { type Span, span, wholeNumber } from './domain/span.ts'
import { deriveTurns, type Turn } from './domain/turn.ts'
import { type AppendResult, append } from './flow/append.ts'
import { checkChanges } from './flow/check-conversation.ts'
import type {
  ConversationChanges,
  CreateOutcome,
  PurgeOutcome,
  TenantStore,
} from './ports/store.ts'
import { sha256 } from './system.ts'

export interface ConversationHandle {
  readonly id: ConversationId
  /** Adds to the log, in one commit; begins the conversation if there is none. */
  append(
    messages: MessageInput | readonly MessageInput[],
    options?: AppendOptions,
  ): Promise<AppendResult>
  /** The messages of a span, oldest first, read a page at a time. */
  messages(within?: Partial<Span>): AsyncIterable<Message>
  /** Turns and their steps, as far as the span shows them. */
  turns(within?: Partial<Span>): Promise<readonly Turn[]>
  /** The conversation as it stands, or null before its first message. */
  info(): Promise<Conversation | null>
  update(changes: ConversationUpdate): Promise<Result<Conversation, { readonly kind: 'not-found' }>>
  /** Events with a number above `after`, oldest first. */
  events(query?: {
    readonly after?: number
    readonly limit?: number
  }): Promise<readonly EngineEvent[]>
  /** A message byte for byte as it was handed in. */
  original(seq: Seq): Promise<Uint8Array | null>
  /** The bytes of a file that a message holds. */
  file(sha256: string): Promise<Uint8Array | null>
  readonly history: {
    /** A new conversation that shares the messages before `at`; none is copied. */
    fork(at: Seq, id: string): Promise<Result<ConversationHandle, ForkFailure>>
    /** Removes this conversation and its children for good. */
    purge(options?: { readonly forks?: 'refuse' | 'purge' }): Promise<PurgeOutcome>
  }
}

export interface AppendOptions {
  /** Your key for the whole batch: sent again with the same content, nothing is added. */
  readonly key?: string | undefined
}

/** Why there is no fork: its id is taken, or its source is not there or not that long. */
export type ForkFailure = Exclude<CreateOutcome, { readonly kind: 'created' }>

export interface ConversationUpdate {
  readonly title?: string | null | undefined
  readonly meta?: JsonObject | null | undefined
}

const eventsPerPage = 1_000

export function conversationHandle(
  store: TenantStore,
  id: ConversationId,
  settings: Settings,
): ConversationHandle {
  const { clock, messageBytesMax, pageMessages } = settings
  const messages = (within: Partial<Span> = {}) => readPages(store, id, within, pageMessages)
  return {
    id,
    messages,
    append: async (batch, options = {}) =>
      append(
        store,
        id,
        { messages: batch, options },
        { sha256, now: clock.now(), messageBytesMax },
      ),
    turns: async (within) => deriveTurns(await Array.fromAsync(messages(within))),
    info: () => store.conversation(id),
    update: async (changes) => update(store, id, checkChanges(changes), clock.now()),
    events: async ({ after = 0, limit = eventsPerPage } = {}) =>
      (await store.events({ id, after: wholeNumber(after), limit: wholeNumber(limit) })) ?? [],
    original: async (seq) => store.original(id, wholeNumber(seq)),
    file: (hash) => store.file(id, hash),
    history: {
      fork: async (at, forkId) => fork(store, { id, at, forkId }, settings),
      purge: ({ forks = 'refuse' } = {}) => store.purge({ id, forks }),
    },
  }
}

async function* readPages(
  store: TenantStore,
  id: ConversationId,
  within: Partial<Span>,
  pageMessages: number,
): AsyncGenerator<Message> {
  const { from, to } = span(within.from ?? 0, within.to ?? Number.MAX_SAFE_INTEGER)
  for (let next = from; next < to; next += pageMessages) {
    const page = await store.read({
      id,
      span: { from: next, to: Math.min(to, next + pageMessages) },
    })
    if (page === null || page.length === 0) return
    yield* page
  }
}

/** Whoever moved the version meanwhile changed something else, so we look again and go on. */
async function update(
  store: TenantStore,
  id: ConversationId,
  changes: ConversationChanges,
  at: number,
): Promise<Result<Conversation, { readonly kind: 'not-found' }>> {
  for (;;) {
    const current = await store.conversation(id)
    if (current === null) return fail({ kind: 'not-found' })
    const outcome = await store.commit({ id, expectedVersion: current.version, changes, at })
    if (outcome.kind === 'committed') return ok(outcome.conversation)
    if (outcome.kind === 'not-found') return fail(outcome)
  }
}

async function fork(
  store: TenantStore,
  source: { readonly id: ConversationId; readonly at: Seq; readonly forkId: string },
  settings: Settings,
): Promise<Result<ConversationHandle, ForkFailure>> {
  const id = conversationId(source.forkId)
  const forkedFrom = { conversationId: source.id, at: wholeNumber(source.at) }
  const at = settings.clock.now()
  const outcome = await store.create({ id, title: null, meta: null, parent: null, forkedFrom, at })
  return outcome.kind === 'created' ? ok(conversationHandle(store, id, settings)) : fail(outcome)
}
