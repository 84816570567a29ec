/** Logs and metrics of a server: operations, statuses and durations, never content. */
import { pino } from 'pino'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { isThroughlineError } from 'throughline'
import type { ServerOptions } from './create-server.ts'
import type { GatewayDecision } from './gateway/decision.ts'
import type { startRetention } from './retention.ts'
import type { ServerSettings } from './settings.ts'

type Reporting = {
  readonly [Name in 'metrics' | 'onAnswer']: NonNullable<ServerOptions[Name]>
} & {
  readonly onRetention: Parameters<typeof startRetention>[1]
  readonly onDecision: (decision: GatewayDecision) => void
}

/** A queue that other processes share. */
interface SharedQueue {
  figures(): Promise<Readonly<Record<'waiting' | 'running' | 'dead' | 'oldestMs', number>>>
}

export function createReporting(
  logLevel: ServerSettings['logLevel'],
  queue: SharedQueue | null = null,
): Reporting {
  const log = pino({ level: logLevel, base: null })
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'throughline_request_seconds',
    help: 'Duration of requests by operation and status',
    labelNames: ['operation', 'status'],
    registers: [registry],
  })
  const decisions = new Counter({
    name: 'throughline_gateway_requests_total',
    help: 'Requests of the gateway by what they were, how their conversation was found, and what was done',
    labelNames: ['api', 'class', 'by', 'action', 'retried', 'failed_open'],
    registers: [registry],
  })
  if (queue !== null) addQueueMetrics(registry, queue)
  return {
    onDecision: ({ api, class: kind, by, action, retried, failedOpen, epoch, tokens }) => {
      const none = (value: string | null) => value ?? 'none'
      const labels = { api, class: kind, by: none(by), action, retried: none(retried) }
      decisions.inc({ ...labels, failed_open: none(failedOpen) })
      const line = { operation: 'gateway', api, class: kind, by, action, retried, epoch, tokens }
      if (failedOpen === null) log.info(line)
      else log.error({ ...line, failedOpen })
    },
    onRetention: (outcome) => {
      if ('error' in outcome) log.error({ operation: 'retention', reason: nameOf(outcome.error) })
      else if (outcome.purged > 0) log.info({ operation: 'retention', purged: outcome.purged })
    },
    metrics: async () => ({ text: await registry.metrics(), type: registry.contentType }),
    onAnswer: ({ error, operation, method, status, durationMs, key, client }) => {
      durations.observe({ operation, status: String(status) }, durationMs / 1000)
      const line = { operation, method, status, durationMs: Math.round(durationMs), key, client }
      if (error === null) log.info(line)
      else log.error({ ...line, reason: nameOf(error) })
    },
  }
}

function addQueueMetrics(registry: Registry, queue: SharedQueue): void {
  const age = new Gauge({
    name: 'throughline_queue_oldest_seconds',
    help: 'How long the oldest background job waits',
    registers: [registry],
  })
  const jobs = new Gauge({
    name: 'throughline_queue_jobs',
    help: 'Background jobs by state',
    labelNames: ['state'],
    registers: [registry],
    collect: async () => {
      const { oldestMs, ...counts } = await queue.figures()
      for (const [state, count] of Object.entries(counts)) jobs.set({ state }, count)
      age.set(oldestMs / 1_000)
    },
  })
}

/** The message of an error may have content. */
function nameOf(error: unknown): string {
  return isThroughlineError(error) ? error.code : error instanceof Error ? error.name : typeof error
}
