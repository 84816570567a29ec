/** Opens the gateway of a server: its index, in PostgreSQL or in the server's folder, and its connections. */
import { join } from 'node:path'
import type { Access } from '../access.ts'
import type { GatewayParts } from '../create-server.ts'
import { accessFile } from '../server-folder.ts'
import { openGatewayIndex, type SharedIndex } from './gateway-index.ts'
import { type GatewaySettings, upstreamsOf } from './gateway-settings.ts'
import { createUpstreams } from './upstream.ts'

export interface OpenedGateway {
  readonly parts: Omit<GatewayParts, 'onDecision'>
  /** The same rows of the server, whose rewrites reach the index, too. */
  readonly access: Access
  close(): Promise<void>
}

/** Throws if the key of an upstream is missing. */
export function openGateway(
  settings: GatewaySettings,
  env: Readonly<Record<string, string | undefined>>,
  {
    folder,
    access,
    index: shared,
  }: {
    readonly folder: string
    readonly access: Access
    /** Null: in the folder. */
    readonly index: SharedIndex | null
  },
): OpenedGateway {
  const upstreams = createUpstreams(upstreamsOf(settings, env))
  const index = openGatewayIndex(join(folder, accessFile), shared)
  return {
    parts: { settings, upstreams, index },
    access: {
      ...access,
      forgetAnswers: async (tenant, conversations, except) => {
        await access.forgetAnswers(tenant, conversations, except)
        await index.forget(tenant, conversations)
      },
    },
    close: async () => {
      index.close()
      await upstreams.close()
    },
  }
}
