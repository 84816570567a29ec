/**
 * Binds the server to a port, on two SQLite files in one folder, or with the conversations in PostgreSQL, with
 * logs and metrics; stops on request.
 */
import { isIP } from 'node:net'
import { join } from 'node:path'
import { type ServerType, serve } from '@hono/node-server'
import { createThroughline, type Throughline, ThroughlineError } from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import type { Access } from './access.ts'
import { createServer, type Server } from './create-server.ts'
import { makeDemonstration } from './demonstration/demonstration.ts'
import { engineOptions, modelOf } from './engine-settings.ts'
import { type OpenedGateway, openGateway } from './gateway/open-gateway.ts'
import { inspectorPages } from './inspector-pages.ts'
import { postgresParts, postgresRows } from './postgres-parts.ts'
import { createReporting } from './reporting.ts'
import { startRetention } from './retention.ts'
import { conversationsFile, createdBy, openServerFolder } from './server-folder.ts'
import type { ServerSettings } from './settings.ts'
import { drainMs, withSharedRows } from './shared-access.ts'
import { withSharedKeys } from './shared-keys.ts'
import { createSignIn } from './sign-in.ts'

/** A server that listens. */
export interface StartedServer {
  readonly url: string
  /** The secret of the first key, only in the run that created it. */
  readonly firstKey: string | null
  /** Opens the inspector once; null if the server listens to other machines. */
  readonly signInUrl: string | null
  /** Ends event streams, answers running requests for up to 30 s, and closes the databases. */
  stop(): Promise<void>
}

/**
 * Starts a server. `env` has the API keys that the settings name.
 *
 * @example
 * const { url, firstKey, stop } = await startServer(readServerSettings({ port: 0 }, { env: {} }))
 */
export async function startServer(
  settings: ServerSettings,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<StartedServer> {
  const { folder, host, hosts, origins, trustedProxies, limits, logLevel } = settings
  const engine = engineOptions(settings.engine, env)
  const chatModel = modelOf(settings.chat, 'chat', env)
  const { access: own, unlock } = openServerFolder(folder)
  const rows = await postgresRows(settings).catch((error: unknown) => {
    own.close()
    unlock()
    throw error
  })
  const ownRows = rows === null ? own : withSharedRows(own, rows.access)
  let throughline: Throughline | null = null
  let gateway: OpenedGateway | null = null
  let stopRetention = async () => {}
  const close = async () => {
    await stopRetention()
    await throughline?.close()
    await gateway?.close()
    await ownRows.close()
    await rows?.close()
    unlock()
  }
  try {
    gateway =
      settings.gateway === false
        ? null
        : openGateway(settings.gateway, env, {
            folder,
            access: ownRows,
            index: rows?.index ?? null,
          })
    const access = withSharedKeys(gateway?.access ?? ownRows, settings.keys)
    const hasKeys = access.keys(null).length > 0
    if (!hasKeys && !isLoopback(host)) throw noKey(host)
    const shared = await postgresParts(settings)
    const parts = shared ?? {
      store: sqlite(join(folder, conversationsFile), { thread: true }),
    }
    throughline = createThroughline({ ...engine, ...parts })
    if (settings.demonstration && (await throughline.list({ limit: 1 })).length === 0)
      await makeDemonstration(throughline)
    const { metrics, onAnswer, onRetention, onDecision } = createReporting(
      logLevel,
      shared?.queue ?? null,
    )
    const hasLinks = isLoopback(host)
    const signIn = createSignIn(access, hasLinks)
    const server = createServer({
      ...{ throughline, access, origins, trustedProxies, limits, metrics, onAnswer },
      hosts: [...loopbackNames, host, ...hosts].map((name) => name.toLowerCase()),
      gateway: gateway === null ? undefined : { ...gateway.parts, onDecision },
      pages: await inspectorPages({ signIn, hasLinks, folder, chatModel: chatModel?.id ?? null }),
      chatModel,
      sessionKey: signIn.keyOf,
    })
    const { http, url } = await listen(server, settings)
    // After listening: if that failed, the key would never be shown.
    const firstKey = hasKeys ? null : await createFirstKey(access)
    const { retention } = settings
    stopRetention = startRetention({ throughline, access, retention, now: Date.now }, onRetention)
    let stopped: Promise<void> | null = null
    return {
      url,
      firstKey,
      signInUrl: hasLinks ? url + signIn.createPath() : null,
      stop: () => {
        stopped ??= drain(server, http).then(close)
        return stopped
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function createFirstKey(access: Access): Promise<string> {
  const { key, secret } = access.createKey({ tenant: 'default', name: 'first', role: 'admin' })
  await access.record(createdBy('first-start', key))
  return secret
}

const lastAnswersMs = 500
const headersMs = 10_000
const checkMs = 2_000
const loopbackNames = ['127.0.0.1', 'localhost', '[::1]']

function noKey(host: string): ThroughlineError {
  return new ThroughlineError(
    'CONFIG_INVALID',
    `server settings: host ${host} is public, and there is no key yet; create one with throughline serve --new-key NAME`,
  )
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

async function listen(
  server: Server,
  { host: hostname, port, limits }: ServerSettings,
): Promise<{ readonly http: ServerType; readonly url: string }> {
  const listening = Promise.withResolvers<number>()
  const http = serve(
    {
      fetch: (request, { incoming }) =>
        server.fetch(request, incoming.socket?.remoteAddress ?? null),
      ...{ hostname, port },
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
  try {
    const bound = await listening.promise
    return { http, url: `http://${hostname.includes(':') ? `[${hostname}]` : hostname}:${bound}` }
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : null
    if (code === 'EADDRINUSE')
      throw new ThroughlineError('PORT_IN_USE', `port ${port} of ${hostname} is in use`, { cause })
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new ThroughlineError('CONFIG_INVALID', `server settings: cannot listen: ${why}`, {
      cause,
    })
  }
}

/** Requests get 503 from now on; running ones and their bodies have 30 s to end. */
async function drain(server: Server, http: ServerType): Promise<void> {
  const deadline = performance.now() + drainMs
  await server.stop()
  const closed = new Promise<void>((resolve) => http.close(() => resolve()))
  // A connection becomes idle when its last answer is sent.
  const idle = setInterval(() => 'closeIdleConnections' in http && http.closeIdleConnections(), 50)
  // What was answered or aborted at last may still be on its way.
  await Promise.race([closed, delay(Math.max(lastAnswersMs, deadline - performance.now()))])
  clearInterval(idle)
  if ('closeAllConnections' in http) http.closeAllConnections()
  await closed
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}
