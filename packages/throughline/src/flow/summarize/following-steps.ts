/** The steps of a plan, as one model is asked for them. */
import type { Span } from '../../domain/span.ts'
import type { LanguageModel } from '../../ports/language-model.ts'
import type { SummaryPlan, SummaryStep } from '../../ports/summary-style.ts'

/** Steps that a model is asked for, one after the other. */
export interface Following {
  readonly model: LanguageModel
  readonly steps: readonly SummaryStep[]
  readonly at: number
  readonly isFromConversation: boolean
}

/** Null where the model has no room for it. */
export function followed(model: LanguageModel, plan: SummaryPlan): Following | null {
  return plan.kind === 'planned'
    ? { model, steps: plan.steps, at: 0, isFromConversation: false }
    : null
}

export function nextStep(step: Following): Following | null {
  return step.at + 1 < step.steps.length ? { ...step, at: step.at + 1 } : null
}

export function currentStep(following: Following | null): SummaryStep | undefined {
  return following?.steps[following.at]
}

export function coveredBy(following: Following | null): Span | undefined {
  return currentStep(following)?.covers
}
