/** What models have told so far of what a summary is to tell, and what that took. */

import type { Seq } from '../../domain/ids.ts'
import type { AskState, ModelAttempt } from '../../domain/model-calls.ts'
import type {
  Draft,
  DraftMark,
  DraftRepair,
  PassedOver,
  SummarizationStop,
} from '../../domain/summary.ts'
import type { LanguageModel } from '../../ports/language-model.ts'
import type {
  StyledModels,
  SummaryPlan,
  SummaryStep,
  ToldPiece,
} from '../../ports/summary-style.ts'
import type { JudgedDraft } from './judge-draft.ts'
import { numbered } from './numbered-attempts.ts'
import type { WriteSummary } from './summary-writer.ts'
import type { ToldChunks } from './tell-chunks.ts'

export interface Told {
  readonly styled: StyledModels
  /** Null where nothing was told. */
  readonly draft: Draft | null
  /** The model that told the last of it. */
  readonly model: string | null
  readonly degraded: boolean
  readonly toldTo: Seq
  /** Why it does not go on; null where all is told. */
  readonly why: SummarizationStop | null
  readonly attempts: readonly ModelAttempt[]
  readonly passedOver: readonly PassedOver[]
  readonly repairs: readonly DraftRepair[]
  readonly marks: readonly DraftMark[]
  readonly state: AskState
  /** What the messages have become in a tree; null where they are told themselves. */
  readonly pieces: readonly ToldPiece[] | null
}

/** `before`: what another style has used up of the limits. */
export function nothingTold(
  { writer, base }: WriteSummary,
  styled: StyledModels,
  before: Told | null,
): Told {
  return {
    styled,
    draft: null,
    model: null,
    degraded: false,
    toldTo: base?.covers.to ?? 0,
    why: null,
    attempts: before?.attempts ?? [],
    passedOver: before?.passedOver ?? [],
    repairs: [],
    marks: [],
    state: before?.state ?? writer.state,
    pieces: null,
  }
}

export function withChunks(told: Told, chunks: ToldChunks): Told {
  const { attempts, passedOver, repairs, marks, state, degraded, pieces } = chunks
  return {
    ...told,
    attempts: [...told.attempts, ...attempts.map((each) => numbered(each, told.attempts.length))],
    passedOver: [...told.passedOver, ...passedOver],
    repairs,
    marks,
    state,
    degraded,
    pieces,
  }
}

/**
 * A message that is too long for one compaction counts as told where a limit has stopped it:
 * the next one would end at the same place, and pay for it again (invariant 8). What else
 * has told no message to its end is nothing yet.
 */
export function stopped(told: Told, from: Seq): Told {
  if (told.draft === null || told.toldTo > from) return told
  const isLimit = told.why === 'calls' || told.why === 'time'
  return isLimit ? { ...told, toldTo: from + 1, degraded: true } : { ...told, draft: null }
}

export function withDraft(
  told: Told,
  { draft, degraded, repairs, marks }: JudgedDraft,
  { model, step: { covers } }: Following,
  next: Following | null,
): Told {
  const toldTo = Math.min(covers.to, next?.step.covers.from ?? covers.to)
  return {
    ...told,
    draft,
    degraded: told.degraded || degraded,
    model: model.id,
    toldTo,
    repairs: [...told.repairs, ...repairs],
    marks,
  }
}

/** The steps of a plan, as one model is asked for them: one after the other. */
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
