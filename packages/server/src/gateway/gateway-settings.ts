/** Settings of the gateway: upstreams and their keys, and what it does for which key. */
import { ThroughlineError } from 'throughline'
import * as v from 'valibot'
import type { Family } from './wire.ts'

export const modes = ['off', 'shadow', 'on'] as const
/** `off` forwards and stores nothing, `shadow` stores and reports, `on` also compacts. */
export type Mode = (typeof modes)[number]

const upstream = v.strictObject({
  url: v.pipe(v.string(), v.url()),
  /** The variable with the upstream's key; without it, the client's own credentials are passed on. */
  keyEnv: v.optional(v.nullable(v.string()), null),
})

const defaults = {
  anthropic: { url: 'https://api.anthropic.com' },
  openai: { url: 'https://api.openai.com' },
  gemini: { url: 'https://generativelanguage.googleapis.com' },
} as const satisfies Record<Family, { readonly url: string }>

export const gatewaySettings = v.strictObject({
  upstreams: v.optional(
    v.strictObject({
      anthropic: v.optional(upstream, defaults.anthropic),
      openai: v.optional(upstream, defaults.openai),
      gemini: v.optional(upstream, defaults.gemini),
    }),
    {},
  ),
  mode: v.optional(v.picklist(modes), 'on'),
  /** Modes by the name of the server's key. */
  keys: v.optional(v.record(v.string(), v.picklist(modes)), {}),
  maxBodyBytes: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 32 * 1024 * 1024),
})

export type GatewaySettings = v.InferOutput<typeof gatewaySettings>

/** Where requests of an API go, and with which key. */
export interface Upstream {
  readonly origin: string
  /** The path of the URL, without a slash at its end. */
  readonly path: string
  /** Null: the client's own credentials are passed on. */
  readonly key: string | null
}

type Environment = Readonly<Record<string, string | undefined>>

/** Throws if the key of an upstream is missing. */
export function upstreamsOf(
  { upstreams }: GatewaySettings,
  env: Environment,
): Readonly<Record<Family, Upstream>> {
  const upstreamOf = (family: Family): Upstream => {
    const { url, keyEnv } = upstreams[family]
    const { origin, pathname, protocol, search, username } = new URL(url)
    if (!/^https?:$/.test(protocol) || search !== '' || username !== '')
      throw invalid(
        `gateway.upstreams.${family}.url must be an http or https address without query`,
      )
    const key = keyEnv === null ? null : env[keyEnv]?.trim() || null
    if (keyEnv !== null && key === null)
      throw invalid(`gateway.upstreams.${family}: the key is missing: set ${keyEnv}`)
    return { origin, path: pathname.replace(/\/+$/, ''), key }
  }
  return {
    anthropic: upstreamOf('anthropic'),
    openai: upstreamOf('openai'),
    gemini: upstreamOf('gemini'),
  }
}

function invalid(message: string): ThroughlineError {
  return new ThroughlineError('CONFIG_INVALID', `server settings: ${message}`)
}
