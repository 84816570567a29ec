/**
 * What a model that somebody else has written gives back, as the socket promises it. Whatever
 * has another shape is a failure like others, and costs nobody a turn.
 */
import type { Usage } from '../../domain/usage.ts'
import { safeExcerpt } from '../../extract/redact-secrets.ts'
import type { ModelAnswer, ModelFailure, ModelOutcome } from '../../ports/language-model.ts'

export function soundOutcome(given: unknown): ModelOutcome {
  try {
    return outcomeOf(given) ?? otherShape
  } catch {
    // A getter of theirs.
    return otherShape
  }
}

const otherShape: ModelOutcome = {
  kind: 'failed',
  failure: {
    cause: 'invalid',
    status: null,
    retryAfterMs: null,
    message: 'the model gave back something of another shape',
  },
}

function outcomeOf(given: unknown): ModelOutcome | null {
  const { kind, ...fields } = (given ?? {}) as Readonly<Record<string, unknown>>
  if (kind === 'answered') return answerOf(fields)
  const failure = fields['failure'] as Partial<ModelFailure> | null | undefined
  return kind === 'failed' && typeof failure === 'object' && failure !== null
    ? failureOf(failure)
    : null
}

const finishes: readonly unknown[] = ['stop', 'length', 'filter', 'other']

function answerOf(fields: Readonly<Record<string, unknown>>): ModelAnswer | null {
  const { text, finish, usage, model } = fields
  if (typeof text !== 'string' || !finishes.includes(finish)) return null
  return {
    kind: 'answered',
    text,
    finish: finish as ModelAnswer['finish'],
    usage: usageOf(usage),
    model: typeof model === 'string' ? model : '',
  }
}

/** Plain JSON, because it is kept; null where it is none. */
function usageOf(usage: unknown): Usage | null {
  if (typeof usage !== 'object' || usage === null) return null
  try {
    return JSON.parse(JSON.stringify(usage)) as Usage
  } catch {
    return null
  }
}

const causes: readonly unknown[] = ['transport', 'refused', 'timeout', 'aborted', 'invalid']

function failureOf({
  cause,
  status,
  retryAfterMs,
  message,
}: Partial<ModelFailure>): ModelOutcome | null {
  if (!causes.includes(cause)) return null
  return {
    kind: 'failed',
    failure: {
      cause: cause as ModelFailure['cause'],
      status: countOf(status),
      retryAfterMs: countOf(retryAfterMs),
      message: typeof message === 'string' ? safeExcerpt(message) : '',
    },
  }
}

function countOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null
}
