/** Requests for one model, made so that they fit its window (invariant 11). */
import type { Draft } from '../../domain/summary.ts'
import type { LanguageModel } from '../../ports/language-model.ts'
import { requestTokens } from '../../ports/request-tokens.ts'
import type {
  SummaryInput,
  SummaryMeter,
  SummaryPlan,
  SummaryStep,
  SummaryStyle,
} from '../../ports/summary-style.ts'
import { fitToTokens } from '../measure/fit-to-tokens.ts'
import type { Meter } from '../measure/measure.ts'
import type { CountedQuestion } from './ask-once.ts'
import type { MessagesToTell } from './messages-to-tell.ts'

export interface PlanInput {
  readonly style: SummaryStyle
  readonly toTell: Pick<MessagesToTell, 'messages' | 'calls'>
  readonly pieces: SummaryInput['pieces']
  readonly previous: Draft | null
  readonly depth: number
  readonly summaryTokens: number
  readonly requests: number
  readonly isAbove: boolean
  readonly wishes: string | null
}

// Counts of other tokenizers, and what a provider sets around a request.
const marginRatio = 0.05
// The largest answer that a style asks for, in what its summary may have.
const answerRatio = 2
const answerTokens = 512
// Twice that is answered, once more it stands in the next request, and half is for what is told.
const summaryRatio = 1 / 8

/** What the model takes, less what it may answer. */
export function inputTokensFor(
  model: LanguageModel,
  { card }: Meter,
  summaryTokens: number,
): number {
  const window = windowOf(model, card)
  const answer = mostSummary(window, summaryTokens) * answerRatio + answerTokens
  const most = Math.floor(window * (1 - marginRatio)) - answer
  return Math.min(most, card.maxInputTokens ?? most)
}

/** A conversation with a large window may have more of a summary than a small model can write at once. */
function mostSummary(window: number, summaryTokens: number): number {
  return Math.min(summaryTokens, Math.floor(window * summaryRatio))
}

function windowOf(model: LanguageModel, card: Meter['card']): number {
  return model.card?.contextWindowTokens ?? card.contextWindowTokens
}

export function planFor(model: LanguageModel, meter: Meter, input: PlanInput): SummaryPlan {
  const { style, toTell, pieces, previous, depth, requests, isAbove, wishes } = input
  const summaryTokens = mostSummary(windowOf(model, meter.card), input.summaryTokens)
  return style.plan({
    ...toTell,
    pieces,
    isAbove,
    wishes,
    previous,
    depth,
    inputTokens: inputTokensFor(model, meter, summaryTokens),
    requests,
    summaryTokens,
    meter: summaryMeter(meter),
  })
}

export function summaryMeter(meter: Meter): SummaryMeter {
  return {
    count: (text) => meter.text(text),
    fit: (text, mostTokens) => fitToTokens(text, mostTokens, meter),
  }
}

/** Counted once more as it will be sent; null where it is too large all the same. */
export function measuredRequest(
  step: SummaryStep,
  previous: Draft | null,
  { model, meter }: { readonly model: LanguageModel; readonly meter: Meter },
): CountedQuestion | null {
  const request = step.request(previous)
  const inputTokens = requestTokens(request, (text) => meter.text(text))
  const window = windowOf(model, meter.card)
  return inputTokens + request.maxOutputTokens > window ? null : { request, inputTokens }
}
