/** Codes that only the server uses, with their HTTP status; the codes of the engine have their own table. */

interface ServerErrorRow {
  readonly httpStatus: number
  readonly meaning: string
}

export const serverErrors = {
  BODY_INVALID: { httpStatus: 400, meaning: 'The body or the query does not match its schema.' },
  JSON_INVALID: { httpStatus: 400, meaning: 'The body is not JSON, or is nested too deeply.' },
  KEY_MISSING: { httpStatus: 401, meaning: 'The request has no valid key.' },
  ROLE_TOO_LOW: { httpStatus: 403, meaning: 'The role of the key does not allow this.' },
  ORIGIN_REFUSED: { httpStatus: 403, meaning: 'The Origin is not in the allow-list.' },
  NOT_FOUND: { httpStatus: 404, meaning: 'There is no such resource for this tenant.' },
  METHOD_REFUSED: { httpStatus: 405, meaning: 'The path exists, but not with this method.' },
  CHAT_OFF: { httpStatus: 409, meaning: 'The server has no chat model: set `chat`.' },
  CONFLICT: { httpStatus: 409, meaning: 'The state of the conversation does not allow this.' },
  REQUEST_RUNNING: {
    httpStatus: 409,
    meaning: 'A request with this Idempotency-Key is still running.',
  },
  OUTCOME_UNKNOWN: {
    httpStatus: 409,
    meaning: 'The server stopped during this request; read the state before a new attempt.',
  },
  VERSION_CHANGED: { httpStatus: 412, meaning: 'If-Match names an older version.' },
  BODY_TOO_LARGE: { httpStatus: 413, meaning: 'The body is above the limit of the server.' },
  TYPE_REFUSED: { httpStatus: 415, meaning: 'The body is not application/json.' },
  HOST_REFUSED: { httpStatus: 421, meaning: 'The Host is not in the allow-list.' },
  KEY_REUSED: {
    httpStatus: 422,
    meaning: 'This Idempotency-Key was used with another request.',
  },
  RATE_EXCEEDED: { httpStatus: 429, meaning: 'The key sent too many requests in a minute.' },
  CLIENT_LEFT: { httpStatus: 499, meaning: 'The client closed the connection before the answer.' },
  INTERNAL: { httpStatus: 500, meaning: 'The server failed; its log has the reason.' },
  UPSTREAM_FAILED: { httpStatus: 502, meaning: 'The upstream of the gateway did not answer.' },
  CHAT_FAILED: { httpStatus: 502, meaning: 'The chat model gave no answer.' },
  TIMED_OUT: { httpStatus: 503, meaning: 'The request took longer than the server allows.' },
  STOPPING: { httpStatus: 503, meaning: 'The server is stopping.' },
} as const satisfies Readonly<Record<string, ServerErrorRow>>

export type ServerErrorCode = keyof typeof serverErrors
