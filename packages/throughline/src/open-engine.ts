/** Opens an engine: builds the caches, queue and background work that all conversations share. */
import type { Settings } from './config.ts'
import { createBackground } from './conversation/background.ts'
import { createFactsCache } from './conversation/facts-cache.ts'
import { fairStore } from './conversation/fair-store.ts'
import { createIndexing } from './conversation/indexing.ts'
import { createLedgerCache } from './conversation/ledger-cache.ts'
import { createTailCache, RecentMap } from './conversation/message-cache.ts'
import { createEnqueueFollowUp } from './conversation/receipts.ts'
import { runDigest, runSummarize } from './conversation/run-jobs.ts'
import { checkModel, type Runtime } from './conversation/runtime.ts'
import { createSummaryAhead } from './conversation/summary-ahead.ts'
import { createPurges, createSummaryLocks } from './conversation/summary-locks.ts'
import { tenantHandle } from './conversation/tenant-handle.ts'
import { spanAttributes, tracedTenant } from './conversation/traced-handle.ts'
import { createViewCache } from './conversation/view-cache.ts'
import type { OpenEngine, OpenTenant } from './conversation/waiting-handle.ts'
import { defaults } from './defaults-data.ts'
import type { LiveEvent } from './domain/event.ts'
import { type Seq, type TenantId, tenantId } from './domain/ids.ts'
import { timeOf } from './flow/check/check-options.ts'
import { cachedMeters, cachedWarnings, estimatingMeter } from './meters.ts'
import { styledModels } from './policies/styled-models.ts'
import type { TenantStore } from './ports/store.ts'
import type { Tracing } from './ports/tracing.ts'
import { tolerantQueue } from './queues/tolerant-queue.ts'
import { messageTree } from './summarizers/tree/chunk-tree.ts'
import { createTurns, later, laterIfAlive, sha256, systemTimer } from './system.ts'
import { turnContext } from './turns/turn-context.ts'

export async function openEngine(
  settings: Settings,
  notify: (event: LiveEvent) => void,
  tracing: Tracing | null = null,
): Promise<OpenEngine> {
  const meter = cachedMeters(settings.tokenizer, settings.models)
  const background = createBackground({ later, laterAwaited: later, timer: systemTimer })
  const now = () => timeOf(settings.clock)
  const factRows = createFactsCache()
  const indexing = createIndexing({ later, laterIfAlive, timer: systemTimer, now, factRows })
  const queue = tolerantQueue(settings.queue)
  const purges = createPurges()
  const shared = {
    settings,
    styles: styledModels(settings.policy, settings.writers),
    tree: messageTree,
    extension: settings.extension ?? turnContext,
    meter,
    modelWarnings: cachedWarnings(settings.models),
    estimate: estimatingMeter(settings.tokenizer),
    tails: createTailCache(sha256),
    views: createViewCache(),
    ledgers: createLedgerCache(),
    factRows,
    background,
    enqueueFollowUp: createEnqueueFollowUp(background, now),
    indexing,
    locks: createSummaryLocks(systemTimer),
    emptyJobs: new RecentMap<string, Seq>(),
    purges,
    queue,
    summaryAhead: createSummaryAhead(queue),
    now,
  }
  const runtimeOf = (tenant: string): Runtime => ({
    ...shared,
    tenant,
    reportEvent: (event, conversation) => {
      if (event.kind === 'model-attempt-ended')
        tracing?.modelCall(event.attempt, spanAttributes(tenant, conversation))
      notify({ ...event, tenant, conversation })
    },
  })
  const engineStore = settings.store ?? (await import('./stores/memory.ts')).memory()
  const turnIfBusy = createTurns()
  const tenants = new RecentMap<string, OpenTenant>()
  // The same tenant store each time, because caches are keyed by it.
  const open = (tenant: TenantId): OpenTenant => {
    const known = tenants.get(tenant)
    const opened =
      known ??
      openTenant(fairStore(engineStore.tenant(tenant), turnIfBusy), runtimeOf(tenant), tracing)
    tenants.set(tenant, opened)
    if (known === undefined) indexing.resume(opened.store)
    return opened
  }
  queue.start(async (job, signal) => {
    const { store, runtime } = open(tenantId(job.tenant))
    const watch = purges.watch(job.tenant, job.conversation)
    const closedOrPurged = AbortSignal.any([signal, watch.signal])
    try {
      if (job.kind === 'digest') await runDigest(store, job, closedOrPurged, runtime)
      else await runSummarize(store, job, closedOrPurged, runtime)
    } finally {
      watch.end()
    }
  })
  return {
    open,
    meter: async (model) => {
      checkModel(model, shared)
      return meter(model)
    },
    settled: async () => {
      await queue.settled()
      await background.settled()
      await indexing.settled()
    },
    close: async () => {
      const drainMs = defaults.drainMs
      await Promise.all([queue.close(), background.close(drainMs), indexing.close(drainMs)])
      // After calls that wait for their turn.
      await turnIfBusy(null)
      await engineStore.close()
    },
  }
}

function openTenant(store: TenantStore, runtime: Runtime, tracing: Tracing | null): OpenTenant {
  const handle = tenantHandle(store, runtime)
  const { tenant } = runtime
  return {
    handle: tracing === null ? handle : tracedTenant(handle, tenant, tracing),
    store,
    runtime,
  }
}
