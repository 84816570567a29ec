/** Throughline's front: options become an engine. */
import { readSettings, type ThroughlineOptions } from './config.ts'
import { createBackground } from './conversation/background.ts'
import { createDueHindsight } from './conversation/follow-up-receipts.ts'
import { createIndexing } from './conversation/indexing.ts'
import { createLedgerCache } from './conversation/ledger-cache.ts'
import { createTailCache, RecentMap } from './conversation/message-cache.ts'
import { runDigest, runSummarize } from './conversation/run-jobs.ts'
import type { Runtime } from './conversation/runtime.ts'
import {
  createPurges,
  createSummaryAhead,
  createSummaryLocks,
} from './conversation/summary-locks.ts'
import { type TenantHandle, tenantHandle } from './conversation/tenant-handle.ts'
import { createViewCache } from './conversation/view-cache.ts'
import { defaults } from './defaults-data.ts'
import type { SummarizationEvent } from './domain/event.ts'
import { type Seq, tenantId } from './domain/ids.ts'
import { invalidOption, timeOf } from './flow/check/check-options.ts'
import type { Meter } from './flow/measure/measure.ts'
import { estimatingMeter, rememberedMeters } from './meters.ts'
import type { TenantStore } from './ports/store.ts'
import { patientQueue } from './queues/patient-queue.ts'
import { later, laterIfAlive, sha256, systemTimer } from './system.ts'
import { turnContext } from './turns/turn-context.ts'

/** The engine: conversations of the default tenant, other tenants, models and events. */
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
   * Waits for all work in the background: summaries, the hindsight of receipts, and indexing.
   *
   * @example
   * await tl.settled()
   * await tl.close()
   */
  settled(): Promise<void>
  /**
   * Closes the store. Work in the background gets five seconds to finish; what is left of it is
   * done later, and indexing resumes when the store is opened again. Call it last. See `settled`.
   */
  close(): Promise<void>
}

/** What happens while a summary is written, with the conversation that it is for. */
export type LiveEvent = SummarizationEvent & {
  readonly tenant: string
  readonly conversation: string
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
  const views = createViewCache()
  const ledgers = createLedgerCache()
  const background = createBackground({ later, laterAwaited: later, timer: systemTimer })
  const indexing = createIndexing({ later, laterIfAlive, timer: systemTimer })
  const now = () => timeOf(settings.clock)
  const hindsight = createDueHindsight(background, now)
  const locks = createSummaryLocks(systemTimer)
  const queue = patientQueue(settings.queue)
  const listeners = new Set<(event: LiveEvent) => void>()
  const replies = createSummaryAhead(queue)
  const purges = createPurges()
  const shared = {
    settings,
    extension: settings.extension ?? turnContext,
    meter,
    estimate: estimatingMeter(settings.tokenizer),
    tails,
    views,
    ledgers,
    background,
    hindsight,
    indexing,
    locks,
    emptyJobs: new RecentMap<string, Seq>(),
    purges,
    queue,
    replies,
    now,
  }
  const runtimeOf = (tenant: string): Runtime => ({
    ...shared,
    tenant,
    tell: (event, conversation) => tellAll(listeners, { ...event, tenant, conversation }),
  })
  const stores = new RecentMap<string, TenantStore>()
  // The same one each time: what is remembered of a store is remembered with it.
  const storeOf = (tenant: string) => {
    const known = stores.get(tenant)
    const store = known ?? settings.store.tenant(tenantId(tenant))
    stores.set(tenant, store)
    if (known === undefined) indexing.resume(store)
    return store
  }
  const handleOf = (tenant: string) => tenantHandle(storeOf(tenant), runtimeOf(tenant))
  queue.start(async (job, signal) => {
    const [store, runtime] = [storeOf(job.tenant), runtimeOf(job.tenant)]
    const watch = purges.watch(job.tenant, job.conversation)
    const ends = AbortSignal.any([signal, watch.signal])
    try {
      if (job.kind === 'digest') await runDigest(store, job, ends, runtime)
      else await runSummarize(store, job, ends, runtime)
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
      await indexing.settled()
    },
    close: async () => {
      const drainMs = defaults.drainMs.value
      await Promise.all([queue.close(), background.close(drainMs), indexing.close(drainMs)])
      await settings.store.close()
    },
  }
}

/** Whoever follows cannot break what is followed. */
function tellAll(listeners: Iterable<(event: LiveEvent) => void>, event: LiveEvent): void {
  // A copy for each: it is theirs, and so is what they throw, now or later.
  for (const listener of listeners)
    new Promise((resolve) => resolve(listener(structuredClone(event)))).catch(() => {})
}
