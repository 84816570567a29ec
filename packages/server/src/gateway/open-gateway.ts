/** Opens the gateway of a server: its index in the server's folder, and its connections. */
import { join } from 'node:path'
import type { Access } from '../access.ts'
import type { GatewayParts } from '../create-server.ts'
import { accessFile } from '../server-folder.ts'
import { sqliteGatewayIndex } from './gateway-index.ts'
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
  { folder, access }: { readonly folder: string; readonly access: Access },
): OpenedGateway {
  const upstreams = createUpstreams(upstreamsOf(settings, env))
  const index = sqliteGatewayIndex(join(folder, accessFile))
  return {
    parts: { settings, upstreams, index },
    access: {
      ...access,
      forgetAnswers: (tenant, conversations, except) => {
        access.forgetAnswers(tenant, conversations, except)
        index.forget(tenant, conversations)
      },
    },
    close: async () => {
      index.close()
      await upstreams.close()
    },
  }
}
