/** The gateway: answers requests of the APIs of model providers by passing them on, with a memory beside. */
import type { Key } from '../access.ts'
import { Refusal } from '../problem.ts'
import { answerModelCall } from './answer-model-call.ts'
import { apiErrorOf, apiErrorResponse } from './api-errors.ts'
import type { GatewayOptions, GatewayRequest, GatewayShared } from './gateway-request.ts'
import { type GatewayPath, gatewayPath } from './gateway-routes.ts'
import { type GatewaySettings, type Mode, modes } from './gateway-settings.ts'
import { readRequestBody } from './request-body.ts'
import { passOn } from './send.ts'
import { createTracks } from './tracks.ts'

export interface Gateway {
  answer(request: Request): Promise<Response>
}

export function createGateway(options: GatewayOptions): Gateway {
  const tracks = createTracks(options.index)
  const shared: GatewayShared = { ...options, tracks, lastContexts: new Map() }
  return {
    answer: async (request) => {
      const path = gatewayPath(request)
      if (path === null) return apiErrorResponse('openai', apiErrorOf(new Refusal('NOT_FOUND')))
      const { family } = path.call
      try {
        return await answerCall(request, path, shared)
      } catch (error) {
        const headers = error instanceof Refusal ? error.headers : {}
        return apiErrorResponse(family, apiErrorOf(error), headers)
      }
    },
  }
}

async function answerCall(
  request: Request,
  path: GatewayPath,
  shared: GatewayShared,
): Promise<Response> {
  const { call } = path
  if (call.kind === 'hello') return new Response(null, { status: 200 })
  // Clients try a WebSocket first; with this status they fall back at once.
  if (call.kind === 'socket') return upgradeRequired()
  const { key, headers } = authenticate(request, shared)
  if (!shared.upstreams.hasCredentials(call.family, headers))
    throw new Refusal(
      'KEY_MISSING',
      'the upstream has no key: set gateway.upstreams.….keyEnv, or send its key in its own header and the key of this server in x-throughline-key',
    )
  const isBodiless = request.method === 'GET' || request.method === 'HEAD'
  const body = isBodiless ? null : await readRequestBody(request, shared.settings.maxBodyBytes)
  const called: GatewayRequest = {
    ...{ request, path, key, headers, mode: modeOf(request, key, shared.settings) },
    ...{ bytes: body?.bytes ?? null, text: body?.text ?? null },
  }
  if (call.kind === 'pass') return passOn(called, shared)
  return answerModelCall(called, call, shared)
}

function upgradeRequired(): Response {
  const error = { status: 426, code: 'UPGRADE_REFUSED', message: 'WebSockets are not offered here' }
  return apiErrorResponse('openai', error)
}

function modeOf({ headers }: Request, { name }: Key, { keys, mode }: GatewaySettings): Mode {
  const asked = headers.get('x-throughline-mode')
  const named = modes.find((each) => each === asked)
  if (asked !== null && named === undefined)
    throw new Refusal('BODY_INVALID', `x-throughline-mode: must be ${modes.join(', ')}`)
  return named ?? (Object.hasOwn(keys, name) ? keys[name] : undefined) ?? mode
}

/** Our key may be in a header of its own, or where a client sends the provider's. */
function authenticate(request: Request, { access, waitMs }: GatewayShared) {
  const headers = new Headers(request.headers)
  const given = [headers.get('x-throughline-key')]
  for (const name of ['authorization', 'x-api-key', 'x-goog-api-key']) {
    const secret = /^(?:Bearer +)?(tl_\S{1,200})$/i.exec(headers.get(name) ?? '')?.[1]
    if (secret === undefined) continue
    given.push(secret)
    // It is for us alone.
    headers.delete(name)
  }
  const secrets = given.filter((secret) => secret !== null)
  const key = secrets.map((secret) => access.findKey(secret)).find((each) => each !== null)
  if (key === undefined)
    throw new Refusal('KEY_MISSING', undefined, { 'www-authenticate': 'Bearer' })
  if (key.role === 'read') throw new Refusal('ROLE_TOO_LOW')
  const wait = waitMs(key.id)
  if (wait > 0)
    throw new Refusal('RATE_EXCEEDED', undefined, { 'retry-after': `${Math.ceil(wait / 1000)}` })
  return { key, headers }
}
