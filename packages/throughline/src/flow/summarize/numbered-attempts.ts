/** Attempts are numbered over all that a summary takes, whoever asks for a piece of it. */
import type { ModelAttempt, ModelEvent } from '../../domain/model-calls.ts'

export function numbered(attempt: ModelAttempt, before: number): ModelAttempt {
  return { ...attempt, number: attempt.number + before }
}

export function numberedFrom(event: ModelEvent, before: number): ModelEvent {
  return event.kind === 'model-attempt-started'
    ? { ...event, number: event.number + before }
    : { ...event, attempt: numbered(event.attempt, before) }
}
