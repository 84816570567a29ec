/** A call of the gateway, and what all calls share. */
import type { Context, Throughline } from 'throughline'
import type { Access, Key } from '../access.ts'
import type { createConversationLocks } from '../traffic.ts'
import type { GatewayDecision } from './decision.ts'
import type { GatewayIndex } from './gateway-index.ts'
import type { GatewayPath } from './gateway-routes.ts'
import type { GatewaySettings, Mode } from './gateway-settings.ts'
import type { Tracks } from './tracks.ts'
import type { Upstreams } from './upstream.ts'

export interface GatewayOptions {
  readonly throughline: Throughline
  readonly access: Access
  readonly index: GatewayIndex
  readonly upstreams: Upstreams
  readonly settings: GatewaySettings
  /** Milliseconds that a key must wait. */
  readonly waitMs: (key: string) => number
  readonly lock: ReturnType<typeof createConversationLocks>
  /** The server waits for this work when it stops. */
  readonly track: (work: Promise<unknown>) => void
  readonly onDecision?: ((decision: GatewayDecision) => void) | undefined
}

/** What all calls share. */
export interface GatewayShared extends GatewayOptions {
  readonly tracks: Tracks
  /** The last context of a conversation, for counts and summaries of the client, which are not stored. */
  readonly lastContexts: Map<string, LastContext>
}

export interface LastContext {
  readonly model: string
  readonly context: Context
}

/** A call with its key and its body. */
export interface GatewayRequest {
  readonly request: Request
  readonly path: GatewayPath
  readonly key: Key
  readonly mode: Mode
  readonly bytes: Uint8Array | null
  readonly text: string | null
  /** The headers without our key, wherever it was. */
  readonly headers: Headers
}
