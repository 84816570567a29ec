/** The steps of a plan, as one model is asked for them: one after the other. */
import type { LanguageModel } from '../../ports/language-model.ts'
import type { SummaryPlan, SummaryStep } from '../../ports/summary-style.ts'

export interface Following {
  readonly model: LanguageModel
  readonly step: SummaryStep
  /** Those that come behind it. */
  readonly rest: readonly SummaryStep[]
  readonly isFromConversation: boolean
}

/** Null where the model has no room for it. */
export function followed(model: LanguageModel, plan: SummaryPlan): Following | null {
  const [step, ...rest] = plan.kind === 'planned' ? plan.steps : []
  return step === undefined ? null : { model, step, rest, isFromConversation: false }
}

export function nextStep(following: Following): Following | null {
  const [step, ...rest] = following.rest
  return step === undefined ? null : { ...following, step, rest }
}
