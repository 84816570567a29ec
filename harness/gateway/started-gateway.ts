/** A server with a gateway before a scripted upstream, on a socket. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readServerSettings, type ServerSettingsInput, startServer } from '@throughline/server'
import {
  type ScriptedUpstream,
  type ScriptedUpstreamOptions,
  startScriptedUpstream,
} from './scripted-upstream.ts'

export interface StartedGateway {
  readonly url: string
  readonly key: string
  /** Its databases. */
  readonly folder: string
  readonly upstream: ScriptedUpstream
  /** The messages of a conversation, as the server has them. */
  messages(id: string): Promise<readonly StoredMessage[]>
  conversations(): Promise<readonly string[]>
  get(path: string): Promise<unknown>
  stop(): Promise<void>
}

interface StoredMessage {
  readonly seq: number
  readonly role: string
  readonly status: string
  readonly parts: readonly { readonly type: string; readonly text?: string }[]
}

export interface StartedGatewayOptions extends ScriptedUpstreamOptions {
  readonly models?: readonly { readonly id: string; readonly contextWindowTokens: number }[]
  /** Of a PostgreSQL that several share. */
  readonly database?: string
  readonly gateway?: Partial<Exclude<ServerSettingsInput['gateway'], false | undefined>>
}

/** A window in which long conversations are compacted. */
export const smallModel = {
  id: 'small',
  contextWindowTokens: 16_000,
  tokenizer: 'o200k_base',
} as const

export async function startGateway(options: StartedGatewayOptions = {}): Promise<StartedGateway> {
  const { models = [smallModel], gateway, database, ...scripted } = options
  const upstream = await startScriptedUpstream(scripted)
  const folder = mkdtempSync(join(tmpdir(), 'throughline-gateway-'))
  const { url: address } = upstream
  const upstreams = {
    anthropic: { url: address },
    openai: { url: address },
    gemini: { url: address },
  }
  const settings = readServerSettings(
    {
      ...{
        folder,
        port: 0,
        logLevel: 'silent',
        ...(database !== undefined && { database }),
        engine: { models: models.map((model) => ({ ...model })) },
      },
      limits: { requestsPerMinute: 10_000_000 },
      gateway: { upstreams, ...gateway },
    },
    { env: {} },
  )
  const started = await startServer(settings, {})
  const { url, firstKey } = started
  const key = firstKey ?? ''
  const get = async (path: string): Promise<unknown> => {
    const answer = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } })
    return answer.json()
  }
  return {
    ...{ url, key, folder, upstream, get },
    messages: async (id) => {
      const path = `/v1/conversations/${encodeURIComponent(id)}/messages?limit=1000`
      return ((await get(path)) as { readonly items: readonly StoredMessage[] }).items
    },
    conversations: async () => {
      const { items } = (await get('/v1/conversations?limit=1000')) as {
        readonly items: readonly { readonly id: string }[]
      }
      return items.map(({ id }) => id)
    },
    stop: async () => {
      await started.stop()
      await upstream.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
