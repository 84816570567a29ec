/** Logs and metrics of a server: operations, statuses and durations, never content. */
import { pino } from 'pino'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { ServerOptions } from './create-server.ts'
import type { ServerSettings } from './settings.ts'

export function createReporting(logLevel: ServerSettings['logLevel']): Required<
  Pick<ServerOptions, 'metrics' | 'onAnswer'>
> & {
  readonly log: (level: 'info' | 'error', fields: Readonly<Record<string, unknown>>) => void
} {
  const log = pino({ level: logLevel, base: null })
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'throughline_request_seconds',
    help: 'Duration of requests by operation and status',
    labelNames: ['operation', 'status'],
    registers: [registry],
  })
  return {
    log: (level, fields) => log[level](fields),
    metrics: async () => ({ text: await registry.metrics(), type: registry.contentType }),
    onAnswer: ({ error, operation, method, status, durationMs, key }) => {
      durations.observe({ operation, status: String(status) }, durationMs / 1000)
      const line = { operation, method, status, durationMs: Math.round(durationMs), key }
      // The stack of an error has no content of messages; its message may.
      if (error === null) log.info(line)
      else log.error({ ...line, reason: error instanceof Error ? error.name : typeof error })
    },
  }
}
