/**
 * One style, asked step by step: whoever has answered a step well is asked for the next one
 * first, because its plan is known to fit. Each step begins with the draft of the one before.
 */
import type { AskState } from '../domain/asking.ts'
import type { Draft } from '../domain/draft.ts'
import type { DraftMark, DraftRepair } from '../domain/draft-findings.ts'
import type { Seq } from '../domain/ids.ts'
import type { ModelAttempt, ModelEvent } from '../domain/model-attempt.ts'
import type { PassedOver, SummarizationStop } from '../domain/summary.ts'
import { nextLink } from '../domain/summary-chain.ts'
import type { LanguageModel } from '../ports/language-model.ts'
import type { StyledModels, SummaryPlan, SummaryStep } from '../ports/summary-style.ts'
import { askModels } from './ask-models.ts'
import type { MeasuredRequest } from './ask-once.ts'
import { type ChatStep, chatStep } from './chat-step.ts'
import { draftJudge, type JudgedDraft } from './judge-draft.ts'
import type { Meter } from './measure.ts'
import type { MessagesToTell } from './messages-to-tell.ts'
import { measuredRequest, planFor } from './summary-plan.ts'
import type { WriteSummary } from './summary-writer.ts'

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
}

/** Steps that a model is asked for, one after the other. */
interface Following {
  readonly model: LanguageModel
  readonly steps: readonly SummaryStep[]
  readonly at: number
  readonly isFromChat: boolean
}

/** `before`: what another style has used up of the limits. */
export async function tellInSteps(
  input: WriteSummary,
  styled: StyledModels,
  toTell: MessagesToTell,
  before: Told | null,
): Promise<Told> {
  const { writer, base, limits } = input
  const begunAt = writer.clock.now()
  const meters = new Map<LanguageModel, Meter>()
  for (const model of styled.models) meters.set(model, await writer.meterFor(model.id))
  const judge = draftJudge(input, toTell, [])
  let told: Told = {
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
  }
  const [first] = styled.models
  const firstMeter = first && meters.get(first)
  if (first === undefined || firstMeter === undefined) return { ...told, why: 'nobody' }
  const plan = planOf(input, told, first, firstMeter, toTell)
  if (plan.kind === 'nothing-to-tell') return { ...told, why: 'nothing-to-tell' }
  let following = followed(first, plan)
  let fromChat = await chatStep(input, styled, toTell, (model) => meters.get(model))
  const judgeOfChat = draftJudge(input, toTell, fromChat?.seen ?? [])
  do {
    const { attempts, state } = told
    const asking: { step: Following | null } = { step: null }
    const previous = told.draft ?? base
    const asked = await askModels<JudgedDraft>({
      models: askedTwice(inOrder(styled.models, following?.model ?? null), fromChat),
      requestFor: (model): MeasuredRequest | null => {
        const meter = meters.get(model)
        if (meter === undefined) return null
        if (fromChat?.model === model) {
          const { step, measured } = fromChat
          asking.step = { model, steps: [step], at: 0, isFromChat: true }
          fromChat = null
          return measured
        }
        asking.step =
          following?.model === model
            ? following
            : followed(model, planOf(input, told, model, meter, toTell))
        const step = asking.step?.steps[asking.step.at]
        return step === undefined ? null : measuredRequest(step, previous, { model, meter })
      },
      judge: (answer) => {
        const step = asking.step?.steps[asking.step.at]
        const meter = asking.step === null ? undefined : meters.get(asking.step.model)
        if (step === undefined || meter === undefined)
          throw new Error('an answer that nobody asked for')
        return (asking.step?.isFromChat === true ? judgeOfChat : judge)(answer, {
          step,
          previous,
          meter,
        })
      },
      limits: {
        ...limits,
        calls: limits.calls - attempts.length,
        timeMs: Math.max(1, limits.timeMs - (writer.clock.now() - begunAt)),
      },
      state,
      clock: writer.clock,
      timer: writer.timer,
      signal: writer.signal,
      note: (event) => writer.note(numberedFrom(event, attempts.length)),
    })
    told = {
      ...told,
      attempts: [...attempts, ...asked.attempts.map((each) => numbered(each, attempts.length))],
      passedOver: [...told.passedOver, ...asked.passedOver],
      state: asked.state,
    }
    fromChat = null
    if (asked.kind === 'given-up') return stopped({ ...told, why: asked.why }, base?.covers.to ?? 0)
    const step = asking.step
    following = step === null ? null : nextOf(step)
    told = withDraft(told, asked.value, step, following)
  } while (following !== null)
  return told
}

/**
 * A message that is too long for one compaction counts as told where a limit has stopped it:
 * the next one would end at the same place, and pay for it again (invariant 8). What else
 * has told no message to its end is nothing yet.
 */
function stopped(told: Told, from: Seq): Told {
  if (told.draft === null || told.toldTo > from) return told
  const isLimit = told.why === 'calls' || told.why === 'time'
  return isLimit ? { ...told, toldTo: from + 1, degraded: true } : { ...told, draft: null }
}

function withDraft(
  told: Told,
  { draft, degraded, repairs, marks }: JudgedDraft,
  step: Following | null,
  following: Following | null,
): Told {
  const covers = step?.steps[step.at]?.covers
  const next = following?.steps[following.at]?.covers.from
  const toldTo = covers === undefined ? told.toldTo : Math.min(covers.to, next ?? covers.to)
  return {
    ...told,
    draft,
    degraded: told.degraded || degraded,
    model: step?.model.id ?? null,
    toldTo,
    repairs: [...told.repairs, ...repairs],
    marks,
  }
}

function nextOf(step: Following): Following | null {
  return step.at + 1 < step.steps.length ? { ...step, at: step.at + 1 } : null
}

function inOrder(
  models: readonly LanguageModel[],
  first: LanguageModel | null,
): readonly LanguageModel[] {
  return first === null ? models : [first, ...models.filter((model) => model !== first)]
}

/** First as in the chat, then as usual: another question may be answered better. */
function askedTwice(
  models: readonly LanguageModel[],
  fromChat: ChatStep | null,
): readonly LanguageModel[] {
  return models.flatMap((model) => (model === fromChat?.model ? [model, model] : [model]))
}

/** Of what is not told yet. */
function planOf(
  { base, summaryTokens, limits }: WriteSummary,
  told: Told,
  model: LanguageModel,
  meter: Meter,
  { messages, calls }: MessagesToTell,
): SummaryPlan {
  return planFor(model, meter, {
    style: told.styled.style,
    toTell: { messages: messages.filter(({ seq }) => seq >= told.toldTo), calls },
    previous: told.draft ?? base,
    depth: base === null ? 0 : nextLink(base, told.styled.depthMax).depth,
    summaryTokens,
    // One may fail, and be asked for again.
    requests: Math.max(1, limits.calls - told.attempts.length - 1),
    isAbove: false,
  })
}

/** Null where the model has no room for it. */
function followed(model: LanguageModel, plan: SummaryPlan): Following | null {
  return plan.kind === 'planned' ? { model, steps: plan.steps, at: 0, isFromChat: false } : null
}

function numbered(attempt: ModelAttempt, before: number): ModelAttempt {
  return { ...attempt, number: attempt.number + before }
}

function numberedFrom(event: ModelEvent, before: number): ModelEvent {
  return event.kind === 'model-attempt-started'
    ? { ...event, number: event.number + before }
    : { ...event, attempt: numbered(event.attempt, before) }
}
