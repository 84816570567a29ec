/** MCP over HTTP: each request is answered for itself, by its key. */
import { type AuthInfo, createMcpHandler } from '@modelcontextprotocol/server'
import type { Key } from '../access.ts'
import { authenticate, type Shared } from '../answer-route.ts'
import type { GatewayIndex } from '../gateway/gateway-index.ts'
import { problemResponse } from '../problem.ts'
import { createMcpServer } from './mcp-server.ts'

const bodyBytesMax = 1024 * 1024
const subscriptionsMax = 100

export type McpAnswerer = (request: Request, client: string | null) => Promise<Response>

export function createMcpAnswerer(shared: Shared, index: GatewayIndex | null): McpAnswerer {
  const { throughline, access, wakers, stopping, onAnswer } = shared
  const keys = new WeakMap<AuthInfo, Key>()
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const key = authInfo === undefined ? undefined : keys.get(authInfo)
      if (key === undefined) throw new Error('a call without a key')
      const { tenant } = key
      return createMcpServer({
        ...{ tenant: throughline.tenant(tenant), tenantName: tenant, index, session: null },
        canWrite: key.role !== 'read',
        changed: (conversation) => wakers.wake(JSON.stringify([tenant, conversation])),
      })
    },
    {
      maxRequestBodySize: bodyBytesMax,
      maxSubscriptions: subscriptionsMax,
    },
  )
  stopping.addEventListener('abort', () => void handler.close(), { once: true })
  return async (request, client) => {
    const startedAt = performance.now()
    let key: Key | null = null
    let failure: unknown = null
    let response: Response
    try {
      key = authenticate(request, shared)
      access.noteUse(key, 'accepted')
      const authInfo: AuthInfo = { token: '', clientId: key.id, scopes: [key.role] }
      keys.set(authInfo, key)
      response = await handler.fetch(request, { authInfo })
    } catch (error) {
      failure = error
      response = problemResponse(error)
    }
    const { status } = response
    const durationMs = performance.now() - startedAt
    const error = status >= 500 ? failure : null
    const line = { operation: 'mcp', method: request.method, status, durationMs }
    onAnswer?.({ ...line, key: key?.id ?? null, client, error })
    return response
  }
}
