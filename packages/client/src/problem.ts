/** Problem documents of the server as errors: the engine's codes stay, those of the server are in `details`. */
import { type ErrorCode, errorTable, ThroughlineError } from 'throughline'

export interface Problem {
  readonly status: number
  readonly code: string
  readonly detail: string
  /** The failure that the engine returns as a value, such as `{ kind: 'fewer', compactions: 1 }`. */
  readonly failure: { readonly kind: string } | null
  readonly details: Readonly<Record<string, unknown>> | null
}

/** Any answer above 399 has one; a proxy may answer with something else. */
export function problemIn(bytes: ArrayBuffer, status: number): Problem {
  const none = { status, code: '', detail: `HTTP status ${status}`, failure: null, details: null }
  try {
    const read: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return typeof read === 'object' && read !== null ? { ...none, ...read, status } : none
  } catch {
    return none
  }
}

export function refusedError({ status, code, detail, details }: Problem): ThroughlineError {
  if (isEngineCode(code)) return new ThroughlineError(code, detail, details ? { details } : {})
  // The server's schemas refuse what the engine would refuse as an option or a message.
  if (code === 'BODY_INVALID') {
    const isMessage = /^(?:messages|role|content)\b/.test(detail)
    return new ThroughlineError(isMessage ? 'MESSAGE_INVALID' : 'CONFIG_INVALID', detail)
  }
  const isDown = status >= 500 || status === 429
  const message = `the server refused the request: ${[code, detail].filter(Boolean).join(': ')}`
  return new ThroughlineError(isDown ? 'SERVER_UNREACHABLE' : 'SERVER_REFUSED', message, {
    details: { code, status },
  })
}

function isEngineCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorTable, code)
}
