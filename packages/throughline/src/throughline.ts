/** Throughline's front: options become handles, which wait for the engine. */
import { readSettings, type ThroughlineOptions } from './config.ts'
import type { TenantHandle } from './conversation/tenant-handle.ts'
import { waitingTenant } from './conversation/waiting-handle.ts'
import { defaults } from './defaults-data.ts'
import type { LiveEvent } from './domain/event.ts'
import { tenantId } from './domain/ids.ts'
import { invalidOption } from './flow/check/check-options.ts'
import type { Meter } from './flow/measure/measure.ts'

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
   * Waits for all work in the background: summaries, the follow-up of receipts, and indexing.
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

/**
 * The engine, in memory unless a store is given.
 *
 * @example
 * const tl = createThroughline({ store: sqlite('chat.db') })
 * await tl.conversation('invoice-7').append({ role: 'user', content: 'And the invoice?' })
 */
export function createThroughline(options: ThroughlineOptions = {}): Throughline {
  const settings = readSettings(options)
  const listeners = new Set<(event: LiveEvent) => void>()
  // Loaded from here on, while the program goes on: to import the package takes little time.
  const engine = import('./open-engine.ts').then(({ openEngine }) =>
    openEngine(settings, (event) => tellAll(listeners, event)),
  )
  // Whoever calls a method is told.
  engine.catch(() => {})
  const handleOf = (tenant: string) => waitingTenant(engine, tenantId(tenant))
  return {
    ...handleOf(defaults.tenant.value),
    tenant: handleOf,
    meter: async (model) => (await engine).meter(model),
    on: (listener) => {
      if (typeof listener !== 'function') throw invalidOption('on takes a function')
      // Its own entry, though the same function were given twice.
      const follow = (event: LiveEvent) => listener(event)
      listeners.add(follow)
      return () => listeners.delete(follow)
    },
    settled: async () => (await engine).settled(),
    close: async () => (await engine).close(),
  }
}

/** Whoever follows cannot break what is followed. */
function tellAll(listeners: Iterable<(event: LiveEvent) => void>, event: LiveEvent): void {
  // A copy for each: it is theirs, and so is what they throw, now or later.
  for (const listener of listeners)
    new Promise((resolve) => resolve(listener(structuredClone(event)))).catch(() => {})
}
