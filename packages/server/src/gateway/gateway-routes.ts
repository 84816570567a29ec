/** The paths of the gateway, and what a request to each of them is. */
import type { Family, Wire } from './wire.ts'
import { wires } from './wire.ts'

export type GatewayCall =
  | { readonly kind: 'hello'; readonly family: Family }
  /** Passed on as it is. */
  | { readonly kind: 'pass'; readonly family: Family }
  | { readonly kind: 'socket'; readonly family: Family }
  | {
      /** `count`: the same request, of which only the size is asked. */
      readonly kind: 'model' | 'count'
      readonly family: Family
      readonly wire: Wire
      /** From the path; null where the body names it. */
      readonly model: string | null
      readonly isStream: boolean
    }

export type ModelCall = Extract<GatewayCall, { readonly kind: 'model' | 'count' }>

export interface GatewayPath {
  readonly call: GatewayCall
  /** The conversation that the path names; null if it names none. */
  readonly conversation: string | null
  /** The path that the upstream gets. */
  readonly path: string
}

/** Patterns for the router. */
export const gatewayPaths: readonly string[] = ['', '/c/:conversation'].flatMap((prefix) =>
  [
    ...['/api/hello', '/v1/messages', '/v1/messages/*', '/v1/chat/completions', '/v1/responses'],
    ...['/v1/responses/*', '/v1/models', '/v1/models/*', '/v1beta/models', '/v1beta/models/*'],
  ].map((path) => prefix + path),
)

/** Null for a path that the gateway does not have. */
export function gatewayPath({ url, method, headers }: Request): GatewayPath | null {
  const { pathname, search } = new URL(url)
  const [, named, rest] = /^\/c\/([^/]+)(\/.*)$/.exec(pathname) ?? []
  const path = rest ?? pathname
  const call = callOf(path, method, headers)
  if (call === null) return null
  const conversation = named === undefined ? null : decodedOrNull(named)
  return { call, conversation, path: path + search }
}

function decodedOrNull(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

function callOf(path: string, method: string, headers: Headers): GatewayCall | null {
  const isPost = method === 'POST'
  const model = (wire: Wire, kind: 'model' | 'count' = 'model'): ModelCall => ({
    ...{ kind, wire, family: wire.family, model: null, isStream: false },
  })
  const pass = (family: Family): GatewayCall => ({ kind: 'pass', family })
  if (path === '/api/hello') return { kind: 'hello', family: 'anthropic' }
  if (headers.get('upgrade')?.toLowerCase() === 'websocket')
    return { kind: 'socket', family: 'openai' }
  if (path === '/v1/messages') return isPost ? model(wires.anthropic) : null
  if (path === '/v1/messages/count_tokens') return isPost ? model(wires.anthropic, 'count') : null
  if (path.startsWith('/v1/messages/')) return pass('anthropic')
  if (path === '/v1/chat/completions') return isPost ? model(wires.chat) : pass('openai')
  if (path === '/v1/responses')
    return isPost ? model(wires.responses) : { kind: 'socket', family: 'openai' }
  if (path === '/v1/responses/input_tokens') return isPost ? model(wires.responses, 'count') : null
  if (path.startsWith('/v1/responses/')) return pass('openai')
  const [, name, action] = /^\/v1(?:beta)?\/models\/([^/:]+):(\w+)$/.exec(path) ?? []
  if (name !== undefined && isPost) {
    const gemini = { ...model(wires.gemini), model: name }
    if (action === 'generateContent') return gemini
    if (action === 'streamGenerateContent') return { ...gemini, isStream: true }
    if (action === 'countTokens') return { ...gemini, kind: 'count' }
    return pass('gemini')
  }
  if (path.startsWith('/v1beta/models')) return pass('gemini')
  if (path.startsWith('/v1/models'))
    return pass(headers.has('anthropic-version') ? 'anthropic' : 'openai')
  return null
}
