/**
 * MCP over standard input and output, as clients start it. It opens the databases of the server's folder itself,
 * beside a server that runs or without one, and calls no model.
 */
import { join } from 'node:path'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { createThroughline, ThroughlineError } from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import { sqliteAccess } from '../access.ts'
import { engineOptions } from '../engine-settings.ts'
import { openGatewayIndex } from '../gateway/gateway-index.ts'
import { postgresParts, postgresRows } from '../postgres-parts.ts'
import { accessFile, conversationsFile, makeFolder } from '../server-folder.ts'
import type { ServerSettings } from '../settings.ts'
import { createMcpServer } from './mcp-server.ts'

/** An MCP server on standard input and output. */
export interface StartedMcp {
  /** Resolves when the client has closed standard input. */
  readonly ended: Promise<void>
  stop(): Promise<void>
}

/**
 * Starts an MCP server on standard input and output. With a key in `THROUGHLINE_KEY`, its tenant and role count;
 * without one, the caller owns the folder, and has the tenant `default`.
 *
 * @example
 * const mcp = await startMcp(readServerSettings({}, { env: process.env }), process.env)
 * await mcp.ended
 * await mcp.stop()
 */
export async function startMcp(
  settings: ServerSettings,
  env: Readonly<Record<string, string | undefined>>,
): Promise<StartedMcp> {
  const { folder } = settings
  makeFolder(folder)
  const { tenantName, canWrite } = callerOf(folder, env['THROUGHLINE_KEY'])
  // Background jobs are the server's.
  const shared = await postgresParts(settings, false)
  const parts = shared ?? { store: sqlite(join(folder, conversationsFile)) }
  const options = engineOptions({ ...settings.engine, summarizer: null }, env)
  const throughline = createThroughline({ ...options, ...parts })
  const rows = await postgresRows(settings)
  const index = openGatewayIndex(join(folder, accessFile), rows?.index ?? null)
  const caller = {
    ...{ tenant: throughline.tenant(tenantName), tenantName, canWrite, index },
    session: env['CLAUDE_CODE_SESSION_ID'] || null,
    changed: () => {},
  }
  const ended = Promise.withResolvers<void>()
  process.stdin.once('end', ended.resolve)
  process.stdin.once('close', ended.resolve)
  const handle = serveStdio(() => createMcpServer(caller))
  return {
    ended: ended.promise,
    stop: async () => {
      await handle.close()
      await throughline.close()
      index.close()
      await rows?.close()
    },
  }
}

function callerOf(
  folder: string,
  secret: string | undefined,
): { readonly tenantName: string; readonly canWrite: boolean } {
  if (secret === undefined || secret === '') return { tenantName: 'default', canWrite: true }
  const access = sqliteAccess(join(folder, accessFile))
  try {
    const key = access.findKey(secret)
    if (key !== null) return { tenantName: key.tenant, canWrite: key.role !== 'read' }
  } finally {
    access.close()
  }
  throw new ThroughlineError(
    'CONFIG_INVALID',
    `THROUGHLINE_KEY is no valid key of the server in ${folder}; create one with throughline serve --new-key NAME`,
  )
}
