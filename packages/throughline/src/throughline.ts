/** The entry point: turns options into handles, which wait for the engine to load. */
import { readSettings, type ThroughlineOptions } from './config.ts'
import type { TenantHandle } from './conversation/tenant-handle.ts'
import { waitingTenant } from './conversation/waiting-handle.ts'
import { defaults } from './defaults-data.ts'
import type { LiveEvent } from './domain/event.ts'
import { tenantId } from './domain/ids.ts'
import { invalidOption } from './flow/check/check-options.ts'
import type { Meter } from './flow/measure/measure.ts'
import { checkRuntime } from './system.ts'
import { loadTracing } from './tracing.ts'

/** The engine: conversations of the default tenant, other tenants, models and events. */
export interface Throughline extends TenantHandle {
  /**
   * The conversations of another tenant. Tenants cannot reach each other's conversations.
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
   * Calls the listener while models write summaries: each start event has an end event. The events
   * of a conversation and its receipts keep the results.
   *
   * @example
   * const stop = tl.on((event) => console.log(event.kind, event.conversation))
   */
  on(listener: (event: LiveEvent) => void): () => void
  /**
   * Waits for all work in the background: summaries, the follow-up of receipts, and indexing.
   *
   * @example
   * await tl.settled()
   * await tl.close()
   */
  settled(): Promise<void>
  /**
   * Closes the store; call it last. Background work gets five seconds to finish. Unfinished work is
   * done by a later process, and indexing resumes when the store is opened again. See `settled`.
   */
  close(): Promise<void>
}

/**
 * The engine, in memory unless a store is given.
 *
 * @example
 * const tl = createThroughline({ store: sqlite('chat.db') })
 * await tl.conversation('invoice-7').append({ role: 'user', content: 'And the invoice?' })
 */
export function createThroughline(options: ThroughlineOptions = {}): Throughline {
  checkRuntime()
  const settings = readSettings(options)
  const listeners = new Set<(event: LiveEvent) => void>()
  // Loaded in the background, so that importing the package is fast.
  const engine = Promise.all([import('./open-engine.ts'), loadTracing()]).then(
    ([{ openEngine }, tracing]) =>
      openEngine(settings, (event) => notifyAll(listeners, event), tracing),
  )
  // The caller of a method gets the error.
  engine.catch(() => {})
  const handleOf = (tenant: string) => waitingTenant(engine, tenantId(tenant))
  return {
    ...handleOf(defaults.tenant),
    tenant: handleOf,
    meter: async (model) => (await engine).meter(model),
    on: (listener) => {
      if (typeof listener !== 'function') throw invalidOption('on takes a function')
      // A new function each time, so that the same listener can be added twice.
      const follow = (event: LiveEvent) => listener(event)
      listeners.add(follow)
      return () => listeners.delete(follow)
    },
    settled: async () => (await engine).settled(),
    close: async () => (await engine).close(),
  }
}

/** Each listener gets a copy, and its errors, thrown now or later, are ignored. */
function notifyAll(listeners: Iterable<(event: LiveEvent) => void>, event: LiveEvent): void {
  for (const listener of listeners)
    new Promise((resolve) => resolve(listener(structuredClone(event)))).catch(() => {})
}
