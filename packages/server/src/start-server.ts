/** Binds the server to a port, on two SQLite files in one folder, with logs and metrics; stops on SIGTERM. */
import { mkdirSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { serve } from '@hono/node-server'
import { pino } from 'pino'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { createThroughline, ThroughlineError } from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import { sqliteAccess } from './access.ts'
import { createServer } from './create-server.ts'
import type { ServerSettings } from './settings.ts'

/** A server that listens. */
export interface StartedServer {
  readonly url: string
  /** The secret of the first key, only in the run that created it. */
  readonly firstKey: string | null
  /** Ends event streams, answers running requests for up to 30 s, and closes the databases. */
  stop(): Promise<void>
}

/**
 * Starts a server.
 *
 * @example
 * const { url, firstKey, stop } = await startServer(readServerSettings({ port: 0 }, { env: {} }))
 */
export async function startServer(settings: ServerSettings): Promise<StartedServer> {
  const { folder, host, port, hosts, origins, trustedProxies, limits, logLevel } = settings
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const unlock = lockFolder(folder)
  const access = sqliteAccess(join(folder, 'access.db'))
  const hasKeys = access.keys(null).length > 0
  if (!isLoopback(host) && !hasKeys) {
    access.close()
    unlock()
    throw new ThroughlineError(
      'CONFIG_INVALID',
      `server settings: host ${host} is public, and there is no key yet; start once on 127.0.0.1 to create one`,
    )
  }
  const firstKey = hasKeys
    ? null
    : access.createKey({ tenant: 'default', name: 'first', role: 'admin' }).secret
  const throughline = createThroughline({ store: sqlite(join(folder, 'conversations.db')) })
  const log = pino({ level: logLevel, base: null })
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'throughline_request_seconds',
    help: 'Duration of requests by operation and status',
    labelNames: ['operation', 'status'],
    registers: [registry],
  })
  const server = createServer({
    ...{ throughline, access, origins, trustedProxies, limits },
    metrics: async () => ({ text: await registry.metrics(), type: registry.contentType }),
    hosts: [...loopbackNames, host, ...hosts].map((name) => name.toLowerCase()),
    onAnswer: ({ error, operation, method, status, durationMs, key, client }) => {
      durations.observe({ operation, status: String(status) }, durationMs / 1000)
      const line = { operation, method, status, durationMs: Math.round(durationMs), key, client }
      // The stack of an error has no content of messages; its message may.
      if (error === null) log.info(line)
      else log.error({ ...line, reason: error instanceof Error ? error.name : typeof error })
    },
  })
  const listening = Promise.withResolvers<number>()
  const http = serve(
    {
      fetch: (request, { incoming }) =>
        server.fetch(request, incoming.socket?.remoteAddress ?? null),
      ...{ hostname: host, port },
      // A client that sends its headers or its body slowly does not keep a connection.
      serverOptions: {
        headersTimeout: Math.min(headersMs, limits.timeoutMs),
        requestTimeout: limits.timeoutMs,
        connectionsCheckingInterval: checkMs,
      },
    },
    (info) => listening.resolve(info.port),
  )
  http.once('error', listening.reject)
  const close = async () => {
    await throughline.close()
    access.close()
    unlock()
  }
  const bound = await listening.promise.catch(async (error: unknown) => {
    await close()
    throw error
  })
  let stopped: Promise<void> | null = null
  const stop = async () => {
    const startedAt = performance.now()
    await server.stop()
    const leftMs = Math.max(500, drainMs - (performance.now() - startedAt))
    await new Promise<void>((resolve) => {
      http.close(() => resolve())
      // What was answered may still be on its way to a slow client.
      if ('closeIdleConnections' in http) http.closeIdleConnections()
      setTimeout(() => {
        if ('closeAllConnections' in http) http.closeAllConnections()
      }, leftMs).unref()
    })
    await close()
  }
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    firstKey,
    stop: () => {
      stopped ??= stop()
      return stopped
    },
  }
}

const drainMs = 30_000
const headersMs = 10_000
const checkMs = 2_000
const loopbackNames = ['127.0.0.1', 'localhost', '[::1]']

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

/** A second server on the folder would take running requests of the first for interrupted ones. */
function lockFolder(folder: string): () => void {
  const lock = new DatabaseSync(join(folder, 'server.lock'))
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    lock.close()
    throw new ThroughlineError('STORE_BUSY', `another server uses the folder ${folder}`, { cause })
  }
  return () => lock.close()
}
