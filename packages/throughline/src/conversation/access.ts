/** Access to a conversation for extensions that keep their own rows, such as the turn memory. */
import type { ConversationId } from '../domain/ids.ts'
import {
  type AskState,
  afterIneffective,
  closedBreaker,
  newAskState,
} from '../domain/model-calls.ts'
import type { Policy } from '../domain/policy.ts'
import { type AskedMany, askMany } from '../flow/summarize/ask-many.ts'
import { addSpent, costOfAll } from '../flow/summarize/ask-models.ts'
import { countRequest } from '../flow/summarize/summary-plan.ts'
import { loadMeters } from '../flow/summarize/summary-writer.ts'
import type { ModelAnswer, ModelRequest } from '../ports/language-model.ts'
import type { TenantStore } from '../ports/store.ts'
import { systemTimer } from '../system.ts'
import type { ConversationHandle } from './handle.ts'
import { type Internals, internalsOf, neverAborted } from './runtime.ts'

/** The parts of a conversation that an extension may use: its store, policy and models. */
export interface ConversationAccess {
  readonly store: TenantStore
  readonly id: ConversationId
  readonly policy: Policy
  readonly hasModels: boolean
  /** Whole milliseconds, from the engine's clock. */
  readonly now: () => number
  /**
   * Asks all questions at once, within the policy's limits on calls, time and money, and the
   * breaker; `spent` is the conversation's `asking`. The calls are events of the engine.
   */
  ask<Value>(
    questions: readonly ModelQuestion<Value>[],
    spent: AskState | null,
    signal: AbortSignal | null,
  ): Promise<AskedQuestions<Value>>
}

export interface ModelQuestion<Value> {
  readonly request: ModelRequest
  judge(answer: ModelAnswer): JudgedAnswer<Value>
}

export type JudgedAnswer<Value> =
  | { readonly kind: 'ok'; readonly value: Value }
  | { readonly kind: 'refused'; readonly reasons: readonly string[] }

export interface AskedQuestions<Value> {
  /** One for each question, with the model that gave it; null where no answer was accepted. */
  readonly answers: readonly ({ readonly value: Value; readonly by: string } | null)[]
  /** Calls, retries included, and their cost; null where a price is unknown. */
  readonly calls: number
  readonly costUsd: number | null
  /** The `asking` to commit, given that of the newest state; null where no model was asked. */
  asking(now: AskState | null, at: number): AskState | null
}

/**
 * The access to a conversation; errors about a wrong argument name the `caller`.
 *
 * @example
 * const { store, id, policy } = await accessOf(chat, 'afterReply')
 */
export async function accessOf(
  chat: ConversationHandle,
  caller: string,
): Promise<ConversationAccess> {
  const internals = await internalsOf(chat, caller)
  const { store, id, runtime } = internals
  const { policy, writers } = runtime.settings
  return {
    store,
    id,
    policy,
    hasModels: writers.length > 0,
    now: runtime.now,
    ask: async (questions, spent, signal) => {
      if (writers.length === 0 || questions.length === 0) return noAnswers(questions)
      const state = spent ?? newAskState
      const asked = await askAll(internals, questions, state, signal)
      return { ...asked, ...accountOf(asked, state, signal, runtime.now()) }
    },
  }
}

/** The result of `ask` without models. */
export function noAnswers(questions: readonly unknown[]): AskedQuestions<never> {
  return { answers: questions.map(() => null), calls: 0, costUsd: 0, asking: () => null }
}

// Two questions that fail must not keep a third one from its retry.
const triesPerQuestion = 2

async function askAll<Value>(
  { id, runtime }: Internals,
  questions: readonly ModelQuestion<Value>[],
  state: AskState,
  signal: AbortSignal | null,
) {
  const { writers: models, policy } = runtime.settings
  const meterOf = await loadMeters({ meterFor: runtime.meter }, models)
  const { limits } = policy
  const calls = limits.calls === 0 ? 0 : Math.max(limits.calls, questions.length * triesPerQuestion)
  return askMany<{ readonly value: Value; readonly by: string }>({
    models,
    questions: questions.map(({ request, judge }) => ({
      requestFor: (model) => countRequest(request, { model, meter: meterOf(model) }),
      judge: (answer) => {
        const judged = judge(answer)
        if (judged.kind === 'refused') return judged
        return { kind: 'ok', value: { value: judged.value, by: answer.model } }
      },
    })),
    atOnce: questions.length,
    limits: { ...limits, calls },
    state,
    clock: { now: runtime.now },
    timer: systemTimer,
    signal: signal ?? neverAborted,
    reportEvent: (event) => runtime.reportEvent(event, id),
  })
}

function accountOf(
  { answers, attempts }: Pick<AskedMany<unknown>, 'answers' | 'attempts'>,
  before: AskState,
  signal: AbortSignal | null,
  now: number,
): Omit<AskedQuestions<never>, 'answers'> {
  const isHelpful = answers.some((answer) => answer !== null)
  // A question that was not asked, or that the caller stopped, has not failed. A model whose answer
  // was refused works, and its next answer is about something else.
  const isUntried = attempts.length === 0 || signal?.aborted === true
  const hasAnswered = attempts.some(({ outcome }) => outcome.kind === 'refused')
  const failed = isUntried || hasAnswered ? before.breaker : afterIneffective(before.breaker, now)
  const breaker = isHelpful ? closedBreaker : failed
  return {
    calls: attempts.length,
    costUsd: costOfAll(attempts),
    asking: (newest, at) => {
      if (attempts.length === 0) return null
      const { spent, ...others } = newest ?? newAskState
      return { ...others, breaker, spent: addSpent(spent, attempts, at) }
    },
  }
}
