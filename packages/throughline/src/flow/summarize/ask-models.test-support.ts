/**
 * Models that say what a test has written for them, and a time that passes at once: whenever
 * nothing else is running, the clock jumps to the next awaited moment.
 */
import { type AskLimits, type ModelEvent, newAskState } from '../../domain/model-calls.ts'
import type {
  LanguageModel,
  ModelFailure,
  ModelOutcome,
  ModelRequest,
} from '../../ports/language-model.ts'
import type { Timer } from '../../ports/timer.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import type { Ask } from './ask-models.ts'

export const defaultAskLimits: AskLimits = {
  calls: 3,
  timeMs: 120_000,
  usd: null,
  callsPerHour: 60,
  usdPerHour: null,
}

function fakeTime() {
  const clock = fakeClock(1_000_000)
  const waiting = new Set<{ readonly due: number; readonly end: () => void }>()
  const waits: number[] = []
  const jump = () => {
    const [next] = [...waiting].sort((one, other) => one.due - other.due)
    if (next === undefined) return
    clock.set(Math.max(clock.now(), next.due))
    next.end()
  }
  const timer: Timer = {
    wait: (milliseconds, signal) =>
      new Promise((resolve) => {
        waits.push(milliseconds)
        const end = () => {
          waiting.delete(one)
          signal.removeEventListener('abort', end)
          resolve()
        }
        const one = { due: clock.now() + milliseconds, end }
        waiting.add(one)
        signal.addEventListener('abort', end)
        setImmediate(jump)
      }),
  }
  return { clock, timer, waits, waiting }
}

export type Line = ModelOutcome | 'hangs' | 'throws' | (() => ModelOutcome)

export interface ScriptedModel extends LanguageModel {
  readonly asked: readonly ModelRequest[]
}

/** The last line of the script stays. */
export function scriptedModel(
  id: string,
  script: readonly Line[],
  prices: LanguageModel['prices'] = null,
): ScriptedModel {
  const asked: ModelRequest[] = []
  return {
    id,
    card: null,
    prices,
    asked,
    generate: async (request) => {
      const line = script[Math.min(asked.length, script.length - 1)] ?? 'hangs'
      asked.push(request)
      if (line === 'hangs') return new Promise(() => undefined)
      if (line === 'throws') throw new Error('the socket is broken')
      return typeof line === 'function' ? line() : line
    },
  }
}

export function says(text: string): ModelOutcome {
  const usage = { inputTokens: 1_000, outputTokens: 100 }
  return { kind: 'answered', text, finish: 'stop', usage, model: 'house/answering' }
}

export function fails(
  cause: ModelFailure['cause'],
  more: Partial<ModelFailure> = {},
): ModelOutcome {
  const failure = { cause, status: null, retryAfterMs: null, message: `${cause}!`, ...more }
  return { kind: 'failed', failure }
}

const question: ModelRequest = {
  system: null,
  messages: [{ role: 'user', content: 'Summarise.' }],
  maxOutputTokens: 500,
  temperature: 0,
  schema: null,
}

/** Takes every text that begins with "good". */
export function scene(models: readonly LanguageModel[], more: Partial<Ask<string>> = {}) {
  const time = fakeTime()
  const events: ModelEvent[] = []
  const ask: Ask<string> = {
    models,
    requestFor: () => ({ request: question, inputTokens: 1_000 }),
    judge: ({ text }) =>
      text.startsWith('good')
        ? { kind: 'ok', value: text }
        : { kind: 'refused', reasons: ['not good'] },
    limits: defaultAskLimits,
    state: newAskState,
    clock: time.clock,
    timer: time.timer,
    signal: new AbortController().signal,
    reportEvent: (event) => events.push(event),
    ...more,
  }
  return { ...time, ask, events }
}
