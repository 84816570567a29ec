/** Throughline's front: options become settings, ids become handles. */
import { readSettings, type ThroughlineOptions } from './config.ts'
import { createAfterReply } from './conversation/after-reply.ts'
import { createBackground } from './conversation/background.ts'
import { createBarrenJobs } from './conversation/barren-jobs.ts'
import { conversationHandle } from './conversation/conversation-handle.ts'
import { createDueHindsight } from './conversation/due-hindsight.ts'
import { createFlights } from './conversation/flights.ts'
import type { Front } from './conversation/front.ts'
import type { ConversationHandle } from './conversation/handle.ts'
import { createIndexing } from './conversation/indexing.ts'
import { createKnownLedgers } from './conversation/known-ledgers.ts'
import { createKnownViews } from './conversation/known-views.ts'
import { createPurges } from './conversation/purges.ts'
import { runDigest } from './conversation/run-digest.ts'
import { runSummarize } from './conversation/run-summarize.ts'
import { createTailCache } from './conversation/tail-cache.ts'
import { defaults } from './defaults.ts'
import type { Conversation } from './domain/conversation.ts'
import { conversationId, tenantId } from './domain/ids.ts'
import type { JsonObject } from './domain/json.ts'
import type { PurgeLine } from './domain/purge-line.ts'
import { fail, ok, type Result } from './domain/result.ts'
import { wholeNumber } from './domain/span.ts'
import type { SummarizationEvent } from './domain/summarization-event.ts'
import { checkNewConversation } from './flow/append/check-conversation.ts'
import { checkOptions, invalidOption, timeOf } from './flow/append/check-options.ts'
import type { Meter } from './flow/measure/measure.ts'
import { estimatingMeter, rememberedMeters } from './meters.ts'
import type { Queue } from './ports/queue.ts'
import type { TenantStore } from './ports/store.ts'
import { later, sha256, systemTimer } from './system.ts'

export interface Throughline extends TenantHandle {
  /**
   * Another tenant's conversations; ids of one tenant mean nothing to another.
   *
   * @example
   * const thread = tl.tenant('customer-41').conversation('invoice-thread-7')
   */
  tenant(id: string): TenantHandle
  /**
   * Counts tokens for a model, such as `openai/gpt-5-mini`, as that model would.
   *
   * @example
   * const meter = await tl.meter('openai/gpt-5-mini')
   * console.log(meter.messages(messages), meter.card.contextWindowTokens)
   */
  meter(model: string): Promise<Meter>
  /**
   * Follows summaries as models write them, from now on: each start has its end. What is to be
   * known later too stands in the events of a conversation and in its receipts.
   *
   * @example
   * const stop = tl.on((event) => console.log(event.kind, event.conversation))
   */
  on(listener: (event: LiveEvent) => void): () => void
  /**
   * Waits for what is done in the background, such as summaries and the hindsight of receipts.
   *
   * @example
   * await tl.settled()
   * await tl.close()
   */
  settled(): Promise<void>
  /**
   * Closes the store, when what is done in the background is done. Call it last. See `settled`.
   */
  close(): Promise<void>
}

/** What happens while a summary is written, with the conversation that it is for. */
export type LiveEvent = SummarizationEvent & {
  readonly tenant: string
  readonly conversation: string
}

/** The conversations of one tenant. */
export interface TenantHandle {
  /**
   * A handle; the conversation begins with its first message.
   *
   * @example
   * const thread = tl.conversation('invoice-thread-7')
   */
  conversation(id: string): ConversationHandle
  /**
   * Begins a conversation with a title, with meta, or as the child of another.
   *
   * @example
   * const begun = await tl.begin('invoice-8', { title: 'Invoices of May' })
   * if (!begun.ok) console.log('there is one already')
   */
  begin(id: string, input?: NewConversationInput): Promise<Result<ConversationHandle, BeginFailure>>
  /**
   * The conversations, ordered by id.
   *
   * @example
   * for (const { id, title, head } of await tl.list({ limit: 20 })) console.log(id, title, head)
   */
  list(query?: ListInput): Promise<readonly Conversation[]>
  /**
   * What was purged, newest first: lines that hold nothing of it. Who knows the id of a
   * conversation finds those of it.
   *
   * @example
   * const [line] = await tl.purges({ conversation: 'invoice-7' })
   * console.log(line?.what, line?.at)
   */
  purges(query?: PurgesInput): Promise<readonly PurgeLine[]>
}

export interface PurgesInput {
  readonly conversation?: string | undefined
  readonly limit?: number | undefined
}

/** There is one of that id already. */
export interface BeginFailure {
  readonly kind: 'exists'
  readonly conversation: Conversation
}

export interface NewConversationInput {
  readonly title?: string | null | undefined
  readonly meta?: JsonObject | null | undefined
  /** The conversation, and the call in it, that starts this one. */
  readonly parent?: ParentInput | null | undefined
}

export interface ParentInput {
  readonly conversationId: string
  readonly callId?: string | null | undefined
}

export interface ListInput {
  /** Only ids behind this one: the last of the page before. */
  readonly after?: string | undefined
  readonly limit?: number | undefined
  /** Only the children of this conversation. */
  readonly parent?: string | undefined
}

/**
 * The engine, in memory unless a store is given.
 *
 * @example
 * const tl = createThroughline({ store: sqlite('chat.db') })
 * await tl.conversation('invoice-7').append({ role: 'user', content: 'And the invoice?' })
 */
export function createThroughline(options: ThroughlineOptions = {}): Throughline {
  const settings = readSettings(options)
  const meter = rememberedMeters(settings.tokenizer, settings.models)
  const tails = createTailCache(sha256)
  const views = createKnownViews()
  const ledgers = createKnownLedgers()
  const background = createBackground(later)
  const now = () => timeOf(settings.clock)
  const hindsight = createDueHindsight(background, now)
  const flights = createFlights(systemTimer)
  const queue = patientQueue(settings.queue)
  const listeners = new Set<(event: LiveEvent) => void>()
  const replies = createAfterReply(queue)
  const purges = createPurges()
  const shared = {
    settings,
    meter,
    estimate: estimatingMeter(settings.tokenizer),
    tails,
    views,
    ledgers,
    background,
    hindsight,
    indexing: createIndexing(),
    flights,
    barren: createBarrenJobs(),
    purges,
    queue,
    replies,
    now,
  }
  const frontOf = (tenant: string): Front => ({
    ...shared,
    tenant,
    tell: (event, conversation) => tellAll(listeners, { ...event, tenant, conversation }),
  })
  const stores = new Map<string, TenantStore>()
  // The same one each time: what is remembered of a store is remembered with it.
  const storeOf = (tenant: string) => {
    const store = stores.get(tenant) ?? settings.store.tenant(tenantId(tenant))
    stores.delete(tenant)
    stores.set(tenant, store)
    const [oldest] = stores.keys()
    if (stores.size > tenantsKept && oldest !== undefined) stores.delete(oldest)
    return store
  }
  const handleOf = (tenant: string) => tenantHandle(storeOf(tenant), frontOf(tenant))
  queue.start(async (job, signal) => {
    const [store, front] = [storeOf(job.tenant), frontOf(job.tenant)]
    const watch = purges.watch(job.tenant, job.conversation)
    const ends = AbortSignal.any([signal, watch.signal])
    try {
      if (job.kind === 'digest') await runDigest(store, job, ends, front)
      else await runSummarize(store, job, ends, front)
    } finally {
      watch.end()
    }
  })
  return {
    ...handleOf(defaults.tenant.value),
    tenant: handleOf,
    meter,
    on: (listener) => {
      if (typeof listener !== 'function') throw invalidOption('on takes a function')
      // Its own entry, though the same function were given twice.
      const follow = (event: LiveEvent) => listener(event)
      listeners.add(follow)
      return () => listeners.delete(follow)
    },
    settled: async () => {
      await queue.settled()
      await background.settled()
    },
    close: async () => {
      await queue.close()
      await background.settled()
      await settings.store.close()
    },
  }
}

const tenantsKept = 1_024

/** A job that a queue does not take is asked for again: nothing that was asked for fails with it. */
function patientQueue(queue: Queue): Queue {
  return {
    start: (run) => queue.start(run),
    add: (job) => {
      new Promise((resolve) => resolve(queue.add(job))).catch(() => {})
    },
    settled: () => queue.settled(),
    close: () => queue.close(),
  }
}

/** Whoever follows cannot break what is followed. */
function tellAll(listeners: Iterable<(event: LiveEvent) => void>, event: LiveEvent): void {
  // A copy for each: it is theirs, and so is what they throw, now or later.
  for (const listener of listeners)
    new Promise((resolve) => resolve(listener(structuredClone(event)))).catch(() => {})
}

function tenantHandle(store: TenantStore, front: Front): TenantHandle {
  return {
    conversation: (id) => conversationHandle(store, conversationId(id), front),
    begin: async (id, input = {}) => begin(store, id, input, front),
    list: async (query = {}) => {
      const asked = checkOptions(query, ['after', 'limit', 'parent'], 'list')
      const { after, limit = defaults.pageConversations.value, parent } = asked
      return store.list({
        after: after === undefined ? null : conversationId(after),
        limit: wholeNumber(limit),
        parent: parent === undefined ? null : conversationId(parent),
      })
    },
    purges: async (query = {}) => {
      const asked = checkOptions(query, ['conversation', 'limit'], 'purges')
      const { conversation, limit = defaults.pageConversations.value } = asked
      return store.purges({
        id: conversation === undefined ? null : conversationId(conversation),
        limit: wholeNumber(limit),
      })
    },
  }
}

async function begin(
  store: TenantStore,
  id: string,
  input: NewConversationInput,
  front: Front,
): Promise<Result<ConversationHandle, BeginFailure>> {
  const checked = { ...checkNewConversation(input), id: conversationId(id) }
  const outcome = await store.create({ ...checked, forkedFrom: null, at: front.now() })
  if (outcome.kind === 'exists') return fail(outcome)
  return ok(conversationHandle(store, checked.id, front))
}
