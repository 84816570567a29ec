/**
 * What models are asked behind a reply: at most three questions, which know nothing of each
 * other, all at once. Where one is not answered well, what rules say stands there.
 */
import type { Internals } from '../conversation/runtime.ts'
import { type AskState, newAskState } from '../domain/asking.ts'
import { afterIneffective, closedBreaker } from '../domain/breaker.ts'
import type { ModelAttempt } from '../domain/model-attempt.ts'
import { byRules } from '../domain/turn-record.ts'
import type { Meter } from '../flow/measure/measure.ts'
import { askMany } from '../flow/summarize/ask-many.ts'
import type { LanguageModel, ModelAnswer, ModelRequest } from '../ports/language-model.ts'
import { requestTokens } from '../ports/request-tokens.ts'
import { systemTimer } from '../system.ts'

export interface AskedOfTurn {
  readonly kind: TurnQuestion['kind']
  /** The model whose answer was taken; `rules` where none was. */
  readonly by: string
}

interface Answered {
  readonly answers: readonly (Told & AskedOfTurn)[]
  readonly attempts: readonly ModelAttempt[]
  readonly breaker: AskState['breaker']
}

export function nobodyAsked(questions: readonly TurnQuestion[]): Answered {
  return { answers: questions.map(byRule), attempts: [], breaker: closedBreaker }
}

// Two questions that fail must not keep a third one from its retry.
const triesOfQuestion = 2

export async function askAbout(
  questions: readonly TurnQuestion[],
  asking: AskState | null,
  signal: AbortSignal | null,
  { front, id }: Internals,
): Promise<Answered> {
  const { writers: models, policy } = front.settings
  const state = asking ?? newAskState
  if (models.length === 0 || questions.length === 0) return nobodyAsked(questions)
  const meters = new Map<LanguageModel, Meter>()
  for (const model of models) meters.set(model, await front.meter(model.id))
  const { limits } = policy
  const calls = limits.calls === 0 ? 0 : Math.max(limits.calls, questions.length * triesOfQuestion)
  const asked = await askMany<Told & { readonly by: string }>({
    models,
    questions: questions.map(({ request, judge }) => ({
      requestFor: (model) => measured(request, model, meters.get(model)),
      judge: (answer) => {
        const judged = judge(answer)
        return judged.kind === 'ok'
          ? { kind: 'ok', value: { ...judged.value, by: answer.model } }
          : judged
      },
    })),
    atOnce: questions.length,
    limits: { ...limits, calls },
    state,
    clock: { now: front.now },
    timer: systemTimer,
    signal: signal ?? neverAborted,
    note: (event) => front.tell(event, id),
  })
  const { attempts, answers } = asked
  return {
    answers: questions.map((question, index) => {
      const answer = answers[index] ?? null
      return answer === null ? byRule(question) : { ...answer, kind: question.kind }
    }),
    attempts,
    breaker: answers.some((answer) => answer !== null)
      ? closedBreaker
      : breakerBehind(state, attempts, signal, front.now()),
  }
}

/** Whoever was not asked, or was stopped by the caller, has not failed. */
function breakerBehind(
  { breaker }: AskState,
  attempts: readonly ModelAttempt[],
  signal: AbortSignal | null,
  now: number,
): AskState['breaker'] {
  return attempts.length === 0 || signal?.aborted ? breaker : afterIneffective(breaker, now)
}

function byRule({ kind, fallback }: TurnQuestion): Told & AskedOfTurn {
  return { ...fallback, kind, by: byRules }
}

/** Null where it does not fit the window of the model. */
function measured(
  request: TurnQuestion['request'],
  model: LanguageModel,
  meter: Meter | undefined,
) {
  if (meter === undefined) return null
  const inputTokens = requestTokens(request, meter.text)
  const windowTokens = model.card?.contextWindowTokens ?? meter.card.contextWindowTokens
  return inputTokens + request.maxOutputTokens > windowTokens ? null : { request, inputTokens }
}

const neverAborted = new AbortController().signal

/** What a model may be asked behind a reply, how its answer is judged, and what stands without one. */
export interface TurnQuestion {
  readonly kind: 'response' | 'turn' | 'theme'
  readonly request: ModelRequest
  judge(answer: ModelAnswer): Judgement
  /** What stands where no answer passes. */
  readonly fallback: Told
}

interface Told {
  /** One sentence; by rules it may be the beginning of what was said. */
  readonly text: string
  /** The oldest lines of the history in short, where they were asked for and told well. */
  readonly folded: string | null
}

export type Judgement =
  | { readonly kind: 'ok'; readonly value: Told }
  | { readonly kind: 'refused'; readonly reasons: readonly string[] }
